import type { ValueType } from "../../port/structure.ts";

/**
 * Patterns for declared types, which are free text in SQLite. The first pattern that matches counts. SQLite also derives a column's
 * affinity from substrings.
 */
const patterns: readonly (readonly [RegExp, ValueType])[] = [
  [/^bool/, "boolean"],
  [/^timestamp.*(tz|with time zone)/, "timestamptz"],
  [/^(timestamp|datetime)/, "timestamp"],
  [/^date\b/, "date"],
  [/^time\b/, "time"],
  [/^(uuid|guid)/, "uuid"],
  [/json/, "json"],
  [/int(?!erval)/, "integer"],
  [/char|clob|text|string/, "text"],
  [/blob|binary/, "bytes"],
  [/real|floa|doub/, "float"],
  [/dec|num|money/, "decimal"],
];

/** Returns the type of values that a declared type suggests. SQLite does not enforce it, except in STRICT tables. */
export function valueTypeOf(declared: string): ValueType {
  const type = declared.trim().toLowerCase();
  return patterns.find(([pattern]) => pattern.test(type))?.[1] ?? "other";
}
