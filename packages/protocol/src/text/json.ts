export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema document (draft 2020-12 unless the document names another draft). */
export type JsonSchema = { readonly [key: string]: unknown };

/** Returns JSON with sorted keys at every depth, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (isPlainObject(item) ? sortKeys(item) : item)) ?? "null";
}

/** The maximum depth of a value from a model, a tool or a server. Code that reads deeper values could run out of stack. */
const maxLevels = 256;

const tooDeep = `it has more than ${maxLevels} levels of lists and objects`;

/** Makes a deep copy as JSON. Throws if JSON cannot represent the value, such as a cycle or a BigInt, or if it has more than 256 levels. */
export function toJson(value: unknown): JsonValue {
  const copy = JSON.parse(stringify(value) ?? "null");
  assertDepth(copy);
  return copy;
}

/** Throws RangeError if a value has more than 256 levels of lists and objects. */
export function assertDepth(value: unknown): void {
  if (isTooDeep(value)) throw new RangeError(tooDeep);
}

/** Parses JSON, and parses the result again if it is a string with JSON. Returns `undefined` for a string that is not JSON, or for null. */
export function parseNestedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? parseNestedJson(value) : (value ?? undefined);
  } catch {
    return undefined;
  }
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    if (cause instanceof RangeError && /call stack/.test(cause.message)) throw new RangeError(tooDeep, { cause });
    throw cause;
  }
}

/** Whether a value has more than `max` levels of lists and objects. Default: 256. Safe for any depth, and for cycles. */
export function isTooDeep(value: unknown, max = maxLevels): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === max) return true;
    level = [...new Set(level.flatMap((each) => Object.values(each).filter(isContainer)))];
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortKeys(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
