/** What the model is told when a call does not go through. Each says what was wrong and what to do instead. */
import { z } from "zod";
import { suggestion } from "./nearest.ts";
import type { PolicyDecision } from "./policy.ts";

export const runEnded = "The run has ended; the call was not executed.";

export function unknownTool(name: string, names: readonly string[]): string {
  const offered = names.length === 0 ? "No tools are available." : `Available: ${names.join(", ")}.`;
  return `There is no tool "${name}".${suggestion(name, names)} ${offered}`;
}

/** One line for each issue: path, what was expected, what came. */
export function badInput(tool: string, error: z.core.$ZodError): string {
  const lines = error.issues.map((issue) => {
    const path = issue.path.length === 0 ? "(input)" : z.core.toDotPath(issue.path);
    return `- ${path}: ${issue.message}; received ${preview(issue.input)}`;
  });
  return `The input of ${tool} is not valid. Call it again with this mended:\n${lines.join("\n")}`;
}

export function denied({ rule, reason }: PolicyDecision): string {
  return `This call was not allowed (${rule}). ${reason ?? "Do not repeat it; go on without it."}`;
}

/** A value as the model or a developer should see it quoted, at most 200 characters. */
export function preview(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

export function failureText(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
