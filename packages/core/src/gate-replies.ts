/** What the model is told when a call does not go through. Each says what was wrong and what to do instead. */
import { z } from "zod";
import { bullets } from "./bullets.ts";
import { suggestion } from "./nearest.ts";
import type { PolicyDecision } from "./policy.ts";
import { preview } from "./reason-of.ts";

export const runEnded = "The run has ended; the call was not executed.";

export function notJson(tool: string, reason: string): string {
  return `The input of ${tool} is not JSON (${reason}). Call it again with a plain object.`;
}

export function unknownTool(name: string, names: readonly string[]): string {
  const offered = names.length === 0 ? "No tools are available." : `Available: ${names.join(", ")}.`;
  return `There is no tool ${preview(name)}.${suggestion(name, names)} ${offered}`;
}

/** One line for each issue: path, what was expected, what came. */
export function badInput(tool: string, error: z.core.$ZodError): string {
  const lines = error.issues.map((issue) => {
    const path = issue.path.length === 0 ? "(input)" : z.core.toDotPath(issue.path);
    return `${path}: ${issue.message}; received ${preview(issue.input)}`;
  });
  return `The input of ${tool} is not valid. Call it again with this mended:\n${bullets(lines)}`;
}

export function denied({ rule, reason }: PolicyDecision): string {
  return `This call was not allowed (${rule}). ${reason ?? "Do not repeat it; go on without it."}`;
}
