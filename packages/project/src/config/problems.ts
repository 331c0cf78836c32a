/** Turns what the schema found wrong with a file into sentences: reason, subject, remedy. */
import { suggestion } from "@bridle/core";
import type { z } from "zod";
import { isSecret } from "./connections.ts";
import { backendIn, backendsWith, knownKeys } from "./keys.ts";

export interface Problem {
  readonly path: readonly PropertyKey[];
  /** Set when the fault is a key in the mapping at `path`, not its value. */
  readonly key?: string;
  readonly message: string;
}

/** `written` is the value as it stands in the file, when it was filled in from the environment. */
export function toProblems(issue: z.core.$ZodIssue, written?: string): Problem[] {
  const inner = issue.code === "invalid_union" ? withinMapping(issue) : undefined;
  if (inner) return inner.flatMap((each) => toProblems({ ...each, path: [...issue.path, ...each.path] }));
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key, issue.input));
  return [{ path: issue.path, message: `${issue.path.join(".") || "the file"} ${complaint(issue, written)}` }];
}

/** What is wrong in a mapping, where a mapping is one of the things that may stand there. */
function withinMapping({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  return errors.find((issues) => issues.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys"));
}

function unknownKey(path: readonly PropertyKey[], key: string, mapping: unknown): Problem {
  const known = knownKeys(path, mapping);
  const owners = backendsWith(path, key);
  if (owners.length > 0) {
    const backend = backendIn(mapping) ?? "claude-code";
    const message = `"${key}" is a key of ${owners.join(", ")}, and the backend is ${backend}. Known here: ${known.join(", ")}.`;
    return { path, key, message };
  }
  const remedy = suggestion(key, known) || ` Known here: ${known.join(", ")}.`;
  return { path, key, message: `unknown key "${key}".${remedy}` };
}

function complaint(issue: z.core.$ZodIssue, written: string | undefined): string {
  const input =
    issue.code === "invalid_union" && issue.discriminator !== undefined ? backendIn(issue.input) : issue.input;
  const found = written ?? describe(input, isSecret(issue.path));
  switch (issue.code) {
    case "invalid_value":
      return `is ${found}, and has to be ${oneOf(issue.values.map(String), input, written)}`;
    case "invalid_union":
      if (issue.discriminator === undefined) return `is ${found}, and has to be false or a mapping.`;
      return `is ${found}, and has to be ${oneOf(namesIn(issue), input, written)}`;
    case "invalid_type":
      return `is ${found}, and has to be a ${typeNames[issue.expected] ?? issue.expected}.`;
    case "too_small":
      if (issue.origin !== "string") return `is ${found}, and has to be at least ${issue.minimum}.`;
      return "is empty. Put something there, or remove the line.";
    case "invalid_format": // Not even what the file says is shown here: an address may hold a password.
      return "is no web address. Write one like https://gateway.example.";
    case "custom":
      return issue.message;
    default:
      return `is ${found}, which cannot stand there: ${issue.message}.`;
  }
}

function oneOf(known: readonly string[], input: unknown, written: string | undefined): string {
  const near = written === undefined && typeof input === "string" ? suggestion(input, known) : "";
  return `${known.length === 1 ? "" : "one of "}${known.join(", ")}.${near}`;
}

/** The names that a mapping's `backend` may have. */
function namesIn(issue: object): string[] {
  const names: unknown = Reflect.get(issue, "options");
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

const typeNames: Readonly<Record<string, string>> = {
  object: "mapping",
  record: "mapping",
  array: "list",
  string: "text",
  int: "whole number",
};

function describe(value: unknown, isConcealed: boolean): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return isConcealed ? `a ${typeNames[typeof value] ?? typeof value}` : JSON.stringify(value);
}
