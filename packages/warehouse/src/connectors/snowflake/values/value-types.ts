import type { ValueType } from "../../../port/structure.ts";
import type { SnowflakeType } from "../session/answers.ts";

const types: ReadonlyMap<string, ValueType> = new Map([
  ["TEXT", "text"],
  ["VARCHAR", "text"],
  ["REAL", "float"],
  ["FLOAT", "float"],
  ["DOUBLE", "float"],
  ["DECFLOAT", "decimal"],
  ["BOOLEAN", "boolean"],
  ["DATE", "date"],
  ["TIME", "time"],
  ["TIMESTAMP_NTZ", "timestamp"],
  ["TIMESTAMP_LTZ", "timestamptz"],
  ["TIMESTAMP_TZ", "timestamptz"],
  ["BINARY", "bytes"],
  ["VARIANT", "json"],
  ["OBJECT", "json"],
  ["ARRAY", "json"],
  ["MAP", "json"],
  ["UUID", "uuid"],
]);

/**
 * Returns the value type for a type in a result, where numbers are `fixed`, or in the catalog. An array becomes JSON, because its elements
 * have their own types.
 */
export function snowflakeValueType({ type, scale }: SnowflakeType): ValueType {
  const name = type.toUpperCase();
  if (name === "FIXED" || name === "NUMBER") return (scale ?? 0) > 0 ? "decimal" : "integer";
  return types.get(name) ?? "other";
}

/** Returns the type as a statement would write it, such as `NUMBER(12,2)`. */
export function snowflakeNativeType({ type, length, precision, scale }: SnowflakeType): string {
  const name = type.toUpperCase();
  if (name === "FIXED" || name === "NUMBER") return `NUMBER(${precision ?? 38},${scale ?? 0})`;
  if (name === "REAL") return "FLOAT";
  if (name === "TEXT") return length ? `VARCHAR(${length})` : "VARCHAR";
  if (name.startsWith("TIME")) return scale === undefined || scale === null ? name : `${name}(${scale})`;
  return name;
}
