/** Turns schema issues into sentences. */
import { isPlainObject, nearest, suggestion } from "@bridle/protocol";
import type { z } from "zod";
import type { KeyPath } from "./positions.ts";

export interface IssueSentence {
  /** The path of the wrong value or key. The rest of the file can be used without it. */
  readonly path: KeyPath;
  readonly message: string;
  readonly isUnknownKey?: boolean | undefined;
  readonly nearest?: string | undefined;
}

/** Turns an issue into sentences. `known` returns the valid keys at a path. */
export function toSentences(issue: z.core.$ZodIssue, known: (path: KeyPath) => readonly string[]): IssueSentence[] {
  const inner = issue.code === "invalid_union" ? mappingIssues(issue) : undefined;
  if (inner) return inner.flatMap((each) => toSentences({ ...each, path: [...issue.path, ...each.path] }, known));
  if (issue.code === "unrecognized_keys") {
    const names = known(issue.path);
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: `unknown key "${key}".${suggestion(key, names) || ` Known here: ${names.join(", ")}.`}`,
      isUnknownKey: true,
      nearest: nearest(key, names, 1)[0],
    }));
  }
  const subject = issue.path.map(String).join(".") || "the file";
  return [{ path: issue.path, message: `${subject} ${complaint(issue)}`, nearest: nearestValue(issue) }];
}

/** Returns the issues within a mapping, if the value is a mapping and the schema allows one. */
function mappingIssues({ errors, input }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  return isPlainObject(input)
    ? errors.find((issues) => issues.every(({ path, code }) => isInside(path, code)))
    : undefined;
}

function isInside(path: KeyPath, code: string): boolean {
  return path.length > 0 || code === "unrecognized_keys";
}

function complaint(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value": {
      if (!/^Invalid/.test(issue.message)) return withStop(issue.message);
      const near = nearestValue(issue);
      const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
      return `is ${show(issue.input)}, but must be one of ${issue.values.map(String).join(", ")}.${hint}`;
    }
    case "invalid_type":
      return `is ${show(issue.input)}, but must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}.`;
    default:
      return withStop(issue.message);
  }
}

function nearestValue(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== "invalid_value" || typeof issue.input !== "string") return undefined;
  return nearest(issue.input, issue.values.map(String), 1)[0];
}

const typeNames: Readonly<Record<string, string>> = {
  object: "a mapping",
  record: "a mapping",
  array: "a list",
  string: "a text",
  boolean: "true or false",
};

function show(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a mapping" : JSON.stringify(value);
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
