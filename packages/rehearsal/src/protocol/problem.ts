import type { z } from "zod";

/** The first thing that is wrong with a body, with its place: `messages.0.role: Invalid option`. */
export function firstProblem({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join(".") || "body"}: ${issue?.message}`;
}
