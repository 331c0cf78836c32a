/** Checks the options of public functions at run time, even for programs without types. */
import { z } from "zod";
import { type BridleError, ConfigError } from "../errors/errors.ts";
import { nearest, suggestion } from "../text/nearest.ts";
import { preview } from "../text/reason.ts";

/** One schema for each key of an options type. A key without a schema is a type error. */
export type OptionsShape<T> = { readonly [Key in keyof T]-?: z.ZodType };

/** Schemas for values that a program passes. The code that uses such a value checks its content. */
export const given = {
  anything: z.unknown(),
  text: z.string(),
  flag: z.boolean(),
  /** Accepts NaN and Infinity, because only the code that uses the value knows its range. */
  number: z.custom((value) => typeof value === "number", { error: "must be a number" }),
  texts: z.array(z.string()),
  list: z.custom((value) => Array.isArray(value), { error: "must be a list" }),
  object: z.custom((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
    error: "must be an object",
  }),
  callback: z.custom((value) => typeof value === "function", { error: "must be a function" }),
  signal: z.custom((value) => value instanceof AbortSignal || hasMethod(value, "addEventListener"), {
    error: "must be an AbortSignal",
  }),
  /** An object with at least these methods, for an interface that a program implements. */
  port: (...methods: readonly string[]) =>
    z.custom((value) => methods.every((name) => hasMethod(value, name)), {
      error: `must be an object with ${methods.map((name) => `${name}()`).join(", ")}`,
    }),
} as const;

export interface OptionsCheckSettings {
  /** The error that is thrown. Default: ConfigError. */
  readonly error?: new (
    message: string,
  ) => BridleError;
  /** For each key, a sentence that says what to write instead. Default: the error suggests the nearest known key. */
  readonly remedies?: Readonly<Record<string, string>>;
}

/**
 * Returns a function that throws if options have an unknown key or a value of another type. A known key with the value
 * `undefined` counts as missing. `caller` is the name of the function that takes the options.
 *
 * @example
 * const checkOptions = optionsCheck<{ limit?: number }>("listRuns", { limit: given.number.optional() });
 * checkOptions({ limti: 3 }); // ConfigError: listRuns: unknown key "limti". Did you mean "limit"?
 */
export function optionsCheck<T>(
  caller: string,
  shape: OptionsShape<T>,
  settings: OptionsCheckSettings = {},
): (options: unknown) => void {
  const schema = z.strictObject(shape);
  return (options) => checkAgainst(caller, schema, options, settings);
}

/** Checks options like `optionsCheck`, with an existing schema. */
export function checkAgainst(
  caller: string,
  schema: z.ZodType,
  options: unknown,
  { error: Problem = ConfigError, remedies = {} }: OptionsCheckSettings = {},
): void {
  const parsed = schema.safeParse(options, { reportInput: true });
  if (parsed.success) return;
  const sentences = misspeltFirst(parsed.error.issues).flatMap((issue) => explainIssue(issue, schema, remedies));
  throw new Problem(`${caller}: ${sentences.slice(0, maxSentences).join(" ")}`);
}

/** Puts misspelt keys first, because each of them also causes a missing key. */
function misspeltFirst(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const isMisspelt = ({ code }: z.core.$ZodIssue) => code === "unrecognized_keys";
  return [...issues.filter(isMisspelt), ...issues.filter((issue) => !isMisspelt(issue))];
}

const maxSentences = 5;
/** The maximum number of known keys that an error lists. */
const maxListed = 12;

function explainIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  remedies: Readonly<Record<string, string>>,
): readonly string[] {
  const subject = issue.path.map(String).join(".") || "the options";
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = keysAt(schema, issue.path);
      const where = issue.path.length === 0 ? "" : ` in ${subject}`;
      return issue.keys.map((key) => {
        const remedy = remedies[key] ?? (suggestion(key, known).trim() || listKnown(known));
        return `unknown key "${key}"${where}. ${remedy}`.trim();
      });
    }
    case "invalid_value": {
      const values = issue.values.map(String);
      const [near] = typeof issue.input === "string" ? nearest(issue.input, values, 1) : [];
      const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
      return [`${subject} is ${shown(issue.input)}, but must be one of ${values.join(", ")}.${hint}`];
    }
    case "invalid_type":
      return [`${subject} is ${shown(issue.input)}, but must be ${typeNames[issue.expected] ?? issue.expected}.`];
    case "custom":
      return [`${subject} is ${shown(issue.input)}, but ${issue.message}.`];
    case "too_small":
      return [`${subject} is ${issue.origin === "string" ? "empty" : "too small"}.`];
    default:
      return [`${subject} is ${shown(issue.input)}, which is not allowed.`];
  }
}

function listKnown(known: readonly string[]): string {
  return known.length === 0 || known.length > maxListed ? "Remove it." : `Known here: ${known.join(", ")}.`;
}

/** Lists the keys of the object at a path in a schema. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const bare = unwrap(schema);
  const [key, ...rest] = path;
  if (key === undefined) return bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
  if (bare instanceof z.ZodObject) return keysAt(bare.shape[String(key)], rest);
  if (bare instanceof z.ZodArray) return keysAt(bare.element, rest);
  return bare instanceof z.ZodRecord ? keysAt(bare.valueType, rest) : [];
}

function unwrap(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional || schema instanceof z.ZodNullable;
  return isWrapped ? unwrap(schema.unwrap()) : schema;
}

const typeNames: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  return typeof value === "object" ? "an object" : preview(value);
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function";
}
