import type { ValueType } from "../../../port/structure.ts";

const types: ReadonlyMap<string, ValueType> = new Map([
  ["Bool", "boolean"],
  ["Float32", "float"],
  ["Float64", "float"],
  ["BFloat16", "float"],
  ["String", "text"],
  ["FixedString", "text"],
  ["Enum8", "text"],
  ["Enum16", "text"],
  ["UUID", "uuid"],
  ["Date", "date"],
  ["Date32", "date"],
  ["Time", "time"],
  ["Time64", "time"],
  ["DateTime", "timestamptz"],
  ["DateTime64", "timestamptz"],
  ["JSON", "json"],
  ["Object", "json"],
  ["Tuple", "json"],
  ["Map", "json"],
  ["Nested", "json"],
  ["Array", "array"],
]);

/** Returns the type inside `Nullable(…)` and `LowCardinality(…)`. */
function plainType(type: string): string {
  const inner = /^(?:Nullable|LowCardinality|SimpleAggregateFunction\(\w+,)\s*\(?(.*)\)$/s.exec(type)?.[1];
  return inner === undefined ? type : plainType(inner.trim());
}

export function isNullable(type: string): boolean {
  return /^(?:LowCardinality\()?Nullable\(/.test(type);
}

/** Returns an array's element type. */
export function elementType(type: string): string {
  return /^Array\((.*)\)$/s.exec(plainType(type))?.[1] ?? "String";
}

/** Returns a column's value type by its type in ClickHouse, such as `LowCardinality(Nullable(String))`. */
export function clickhouseValueType(type: string): ValueType {
  const [name = ""] = /^\w+/.exec(plainType(type)) ?? [];
  if (/^U?Int\d+$/.test(name)) return "integer";
  if (/^Decimal\d*$/.test(name)) return "decimal";
  if (name.startsWith("Interval")) return "integer";
  return types.get(name) ?? "other";
}
