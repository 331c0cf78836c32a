import type { z } from "zod";
import type { ModelRequest, Reading } from "./protocol.ts";

/** How a protocol reads a valid body. */
interface Use<T> {
  /** Returns the reason why the real API refuses the request, or `undefined`. */
  findFault?(request: T): string | undefined;
  toRequest(request: T): ModelRequest;
}

/** Reads a body with a schema. Returns a `problem` if the body does not match. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown, { findFault, toRequest }: Use<T>): Reading {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return { problem: firstProblem(parsed.error) };
  const fault = findFault?.(parsed.data);
  return fault === undefined ? { request: toRequest(parsed.data) } : { problem: fault };
}

/** Returns the first issue with its path, such as `messages.0.role: Invalid option`. */
export function firstProblem({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join(".") || "body"}: ${issue?.message}`;
}
