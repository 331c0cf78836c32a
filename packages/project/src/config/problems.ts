/** Turns what the schema found wrong with a file into sentences: reason, subject, remedy. */
import { suggestion } from "@bridle/core";
import type { z } from "zod";
import { knownKeys } from "./keys.ts";

export interface Problem {
  readonly path: readonly PropertyKey[];
  /** Set when the fault is a key in the mapping at `path`, not its value. */
  readonly key?: string;
  readonly message: string;
}

/** `written` is the value as it stands in the file, when it was filled in from the environment. */
export function toProblems(issue: z.core.$ZodIssue, written?: string): Problem[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key));
  return [{ path: issue.path, message: `${issue.path.join(".") || "the file"} ${complaint(issue, written)}` }];
}

function unknownKey(path: readonly PropertyKey[], key: string): Problem {
  const known = knownKeys(path);
  const remedy = suggestion(key, known) || ` Known here: ${known.join(", ")}.`;
  return { path, key, message: `unknown key "${key}".${remedy}` };
}

function complaint(issue: z.core.$ZodIssue, written: string | undefined): string {
  const found = written ?? describe(issue.input);
  if (issue.code === "invalid_value") {
    const known = issue.values.map(String);
    const near = written === undefined && typeof issue.input === "string" ? suggestion(issue.input, known) : "";
    return `is ${found}, and has to be one of ${known.join(", ")}.${near}`;
  }
  if (issue.code === "invalid_type")
    return `is ${found}, and has to be a ${typeNames[issue.expected] ?? issue.expected}.`;
  if (issue.code === "too_small") return "is empty. Put something there, or remove the line.";
  // Not even what the file says is shown here: an address may hold a password.
  if (issue.code === "invalid_format") return "is no web address. Write one like https://gateway.example.";
  return `is ${found}, which cannot stand there: ${issue.message}.`;
}

const typeNames: Readonly<Record<string, string>> = {
  object: "mapping",
  record: "mapping",
  array: "list",
  string: "text",
};

function describe(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a mapping" : JSON.stringify(value);
}
