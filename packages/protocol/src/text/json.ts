export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema document (draft 2020-12 unless it says otherwise). */
export type JsonSchema = { readonly [key: string]: unknown };

/** JSON with sorted keys at every depth, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (isPlainObject(item) ? sortKeys(item) : item)) ?? "null";
}

/** A deep copy as JSON. Throws if JSON cannot hold the value: a cycle, a BigInt, very deep nesting. */
export function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortKeys(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
