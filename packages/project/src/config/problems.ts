/** Turns the issues that a schema reports into sentences with reason, subject and remedy. */
import { nearest, suggestion } from "@bridle/protocol";
import type { z } from "zod";
import { keyOfOthers, keysOfNone, knownKeys, unsupportedKinds, valueAt } from "./keys.ts";
import type { PathForm } from "./variables.ts";

export interface Problem {
  readonly path: readonly PropertyKey[];
  /** Set if the problem is a key in the mapping at `path`, and not its value. */
  readonly key?: string;
  readonly message: string;
  /** The nearest valid name. */
  readonly nearest?: string;
}

/** The schema of a file, and functions that tell which of its values are sensitive. */
export interface FileForm<T = unknown> extends PathForm {
  readonly schema: z.ZodType<T>;
  /** Returns a sentence that tells what to write instead of an unknown key. Default: the nearest known key, or all known keys. */
  remedyForKey?(path: readonly PropertyKey[], key: string): string | undefined;
}

interface Found {
  /** The value of the whole file. */
  readonly root: unknown;
  /** Returns the file's text at a path whose value came from the environment; undefined for other paths. */
  written(path: readonly PropertyKey[]): string | undefined;
}

export function toProblems(issue: z.core.$ZodIssue, form: FileForm, found: Found): Problem[] {
  const inner = issue.code === "invalid_union" ? withinMapping(issue) : undefined;
  if (inner) return inner.flatMap((each) => toProblems({ ...each, path: [...issue.path, ...each.path] }, form, found));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey(issue.path, key, issue.input, form, found));
  }
  const { text, near } = complaint(issue, form, found.written(issue.path));
  const subject = issue.path.join(".") || "the file";
  const problem = { path: issue.path, message: `${subject} ${text}`, ...(near !== undefined && { nearest: near }) };
  return [problem, ...unknownInNoKind(issue, form, found)];
}

/** Finds the keys that are wrong in every kind of mapping, because Zod checks no keys if the kind is misspelt. */
function unknownInNoKind(issue: z.core.$ZodIssue, form: FileForm, found: Found): Problem[] {
  const { input } = issue;
  if (issue.code !== "invalid_union" || issue.discriminator === undefined) return [];
  if (typeof input !== "object" || input === null) return [];
  const path = issue.path.slice(0, -1);
  return keysOfNone(form.schema, path, input, found.root).map((key) => unknownKey(path, key, input, form, found));
}

/** Returns the issues within a mapping, if a mapping is one of the possible values. */
function withinMapping({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  return errors.find(
    (issues) => issues.length > 0 && issues.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys"),
  );
}

function unknownKey(
  path: readonly PropertyKey[],
  key: string,
  mapping: unknown,
  { schema, remedyForKey }: FileForm,
  { root }: Found,
): Problem {
  const instead = remedyForKey?.(path, key);
  if (instead !== undefined) return { path, key, message: `unknown key "${key}". ${instead}` };
  const known = knownKeys(schema, path, mapping, root);
  const others = keyOfOthers(schema, path, key, mapping, root);
  if (others) {
    const { discriminator, chosen, owners } = others;
    const message = `"${key}" is a key of ${owners.join(", ")}, but the ${discriminator} is ${chosen}. ${listKnown(known)}`;
    return { path, key, message };
  }
  const remedy = suggestion(key, known) || ` ${listKnown(known)}`;
  const [near] = nearest(key, known, 1);
  return { path, key, message: `unknown key "${key}".${remedy}`, ...(near !== undefined && { nearest: near }) };
}

/** The maximum number of names in a list. A longer list is not useful in a terminal. */
const maxListed = 12;

function listKnown(known: readonly string[]): string {
  if (known.length <= maxListed) return `Known here: ${known.join(", ")}.`;
  return `None of the ${known.length} keys that are known here is similar; the reference has them. Remove it.`;
}

interface Complaint {
  readonly text: string;
  readonly near?: string | undefined;
}

function complaint(issue: z.core.$ZodIssue, form: FileForm, written: string | undefined): Complaint {
  const discriminator = issue.code === "invalid_union" ? issue.discriminator : undefined;
  const input = discriminator === undefined ? issue.input : valueAt(issue.input, discriminator);
  const isWholeText = issue.path.length === 0 && typeof input === "string"; // a link may lead to any file of the machine
  const found = isWholeText ? "a text" : (written ?? describe(input, form.isSecret(issue.path)));
  if (issue.code !== "custom" && isOwnWords(issue.message)) return inOwnWords(issue, input);
  switch (issue.code) {
    case "invalid_value":
      return within(`is ${found}, but must be `, issue.values.map(String), input, written);
    case "invalid_union":
      if (discriminator === undefined) return { text: `is ${found}, but must be ${wanted(issue)}.` };
      return within(`is ${found}, but must be `, namesIn(issue).filter(isSupportedBy(form, issue)), input, written);
    case "invalid_type":
      return { text: `is ${found}, but must be ${typeName(issue.expected)}.` };
    case "too_small":
      if (issue.origin === "array") return { text: `has too few entries: at least ${issue.minimum} are needed.` };
      if (issue.origin === "string") return { text: "is empty. Put something there, or remove the line." };
      return {
        text: `is ${found}, but must be ${issue.inclusive === false ? "above" : "at least"} ${issue.minimum}.`,
      };
    case "too_big":
      if (issue.origin === "array") return { text: `has too many entries: ${issue.maximum} at most.` };
      return { text: `is ${found}, but must be at most ${issue.maximum}.` };
    case "invalid_format": // The value is not shown, because an address may contain a password.
      return { text: "is not a web address. Write one like https://gateway.example." };
    case "invalid_key":
      return { text: withStop(issue.issues[0]?.message ?? "is not an allowed name") };
    case "custom":
      return { text: withStop(issue.message) };
    default:
      return { text: `is ${found}, which is not allowed: ${issue.message}.` };
  }
}

/** Whether a message was written for the schema. Zod's default messages begin with one of these words. */
function isOwnWords(message: string): boolean {
  return message !== "" && !/^(Invalid|Too (small|big)|Unrecognized|Expected)/.test(message);
}

function inOwnWords(issue: z.core.$ZodIssue, input: unknown): Complaint {
  const known = issue.code === "invalid_value" && typeof input === "string" ? issue.values.map(String) : [];
  const [near] = nearest(String(input), known, 1);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return { text: `${withStop(issue.message)}${hint}`, near };
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function within(begin: string, known: readonly string[], input: unknown, written: string | undefined): Complaint {
  const [near] = written === undefined && typeof input === "string" ? nearest(input, known, 1) : [];
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return { text: `${begin}${known.length === 1 ? "" : "one of "}${known.join(", ")}.${hint}`, near };
}

/** Describes the possible values, if a setting allows several kinds. */
function wanted({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const kinds = errors.flatMap(([first]) => (first ? kindIn(first) : []));
  return [...new Set(kinds)].join(" or ");
}

function kindIn(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_type") return [typeName(issue.expected)];
  if (issue.code === "invalid_value") return issue.values.map(String);
  return issue.code === "unrecognized_keys" || issue.path.length > 0 ? ["a mapping"] : [];
}

/** Excludes values of a distinguishing key that exist only to name a replacement. */
function isSupportedBy({ schema }: FileForm, { path, discriminator }: Discriminated): (name: string) => boolean {
  const refused = unsupportedKinds(schema, path.slice(0, -1), discriminator);
  return (name) => !refused.includes(name);
}

type Discriminated = Pick<z.core.$ZodIssueInvalidUnion, "path" | "discriminator">;

/** Lists the values that the distinguishing key of a mapping may have. */
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

function typeName(expected: string): string {
  return expected === "null" ? "null" : `a ${typeNames[expected] ?? expected}`;
}

function describe(value: unknown, isHidden: boolean): string {
  if (value === undefined) return "missing";
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return isHidden ? `a ${typeNames[typeof value] ?? typeof value}` : JSON.stringify(value);
}
