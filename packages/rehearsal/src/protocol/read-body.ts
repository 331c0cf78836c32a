import type { z } from "zod";
import type { ModelRequest, Reading } from "./protocol.ts";

/** What a protocol makes of a body that has its form. */
interface Use<T> {
  /** What the API itself refuses in it, or `undefined`. */
  findFault?(request: T): string | undefined;
  toRequest(request: T): ModelRequest;
}

/** Reads a body that has to have a form; what is wrong with it comes back as `problem`. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown, { findFault, toRequest }: Use<T>): Reading {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return { problem: firstProblem(parsed.error) };
  const fault = findFault?.(parsed.data);
  return fault === undefined ? { request: toRequest(parsed.data) } : { problem: fault };
}

/** The first thing that is wrong, with its place: `messages.0.role: Invalid option`. */
export function firstProblem({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join(".") || "body"}: ${issue?.message}`;
}
