/** Turns the issues of a schema into sentences with the subject, the reason and a remedy. */
import { suggestion } from "@bridle/protocol";
import type { z } from "zod";
import type { ScriptFields } from "./schema.ts";
import { scriptKeys, scriptSchema } from "./schema.ts";

export interface ScriptProblem {
  readonly path: readonly PropertyKey[];
  /** Set if the problem is a key in the mapping at `path`, not the mapping itself. */
  readonly key?: string;
  readonly message: string;
}

export type Checked = { readonly fields: ScriptFields } | { readonly problems: readonly ScriptProblem[] };

/** Checks a value against the schema of a script, and returns all problems. */
export function checkScript(value: unknown): Checked {
  const versionProblem = checkVersion(value);
  if (versionProblem !== undefined) return { problems: [versionProblem] };
  const result = scriptSchema.safeParse(value, { reportInput: true });
  return result.success
    ? { fields: result.data }
    : { problems: withoutEchoes(result.error.issues).flatMap(toProblems) };
}

/** Checks the version, before everything else: in a file of another version, all other problems may be wrong. */
function checkVersion(value: unknown): ScriptProblem | undefined {
  const remedy = `Begin the script with "rehearsal: 1" and a list of "turns".`;
  if (value === null || value === undefined) return { path: [], message: `the script is empty. ${remedy}` };
  if (typeof value !== "object" || Array.isArray(value))
    return { path: [], message: `a script must be a mapping, but this is ${nameOf(value)}. ${remedy}` };
  const version: unknown = Reflect.get(value, "rehearsal");
  if (version === 1) return undefined;
  if (version === undefined) return { path: [], message: `the script has no version. ${remedy}` };
  const found = JSON.stringify(version);
  return { path: ["rehearsal"], message: `version ${found} is unknown. Write "rehearsal: 1", or update Bridle.` };
}

/** Removes issues that only result from a misspelt key, which also makes its mapping look empty. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const misspelt = issues.filter(({ code }) => code === "unrecognized_keys").map(({ path }) => path.join("."));
  return issues.filter(({ code, path }) => code !== "custom" || !misspelt.includes(path.join(".")));
}

function toProblems(issue: z.core.$ZodIssue): ScriptProblem[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key));
  return [{ path: issue.path, message: sentence(issue) }];
}

function unknownKey(path: readonly PropertyKey[], key: string): ScriptProblem {
  const known = scriptKeys(path);
  const remedy = suggestion(key, known) || ` Known here: ${known.join(", ")}.`;
  return { path, key, message: `unknown key "${key}".${remedy}` };
}

function sentence(issue: z.core.$ZodIssue): string {
  const name = String(issue.path.at(-1) ?? "the script");
  if (issue.code === "custom") return `${issue.message}.`;
  if (issue.code === "invalid_type" && issue.input === undefined)
    return `"${name}" is missing. Add it (${issue.expected}).`;
  if (issue.code === "invalid_type")
    return `"${name}" is ${nameOf(issue.input)}, but must be ${article(issue.expected)}.`;
  if (issue.code === "invalid_value") return `"${name}" must be one of ${issue.values.join(", ")}.`;
  if (issue.code === "too_small" && issue.origin !== "number") return `"${name}" is empty. Add a value.`;
  if (issue.code === "too_small")
    return `"${name}" is too small. The minimum is ${issue.inclusive ? "" : "above "}${Number(issue.minimum)}.`;
  if (issue.code === "too_big") return `"${name}" is too large. The maximum is ${Number(issue.maximum)}.`;
  return `"${name}" is ${nameOf(issue.input)}, which is not allowed here.`;
}

function nameOf(value: unknown): string {
  if (value === null) return "nothing";
  return Array.isArray(value) ? "a list" : article(typeof value);
}

function article(type: string): string {
  const plain: Record<string, string> = { array: "list", object: "mapping", record: "mapping", int: "whole number" };
  const word = plain[type] ?? type;
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
