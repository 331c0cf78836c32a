/** Maps DuckDB's types to value types. */
import type { ValueType } from "../../../port/structure.ts";

const byName: ReadonlyMap<string, ValueType> = new Map([
  ["BOOLEAN", "boolean"],
  ["TINYINT", "integer"],
  ["SMALLINT", "integer"],
  ["INTEGER", "integer"],
  ["BIGINT", "integer"],
  ["HUGEINT", "integer"],
  ["UTINYINT", "integer"],
  ["USMALLINT", "integer"],
  ["UINTEGER", "integer"],
  ["UBIGINT", "integer"],
  ["UHUGEINT", "integer"],
  ["BIGNUM", "integer"],
  ["DECIMAL", "decimal"],
  ["FLOAT", "float"],
  ["DOUBLE", "float"],
  ["VARCHAR", "text"],
  ["ENUM", "text"],
  ["DATE", "date"],
  ["TIME", "time"],
  ["TIME_NS", "time"],
  ["TIMESTAMP", "timestamp"],
  ["TIMESTAMP_S", "timestamp"],
  ["TIMESTAMP_MS", "timestamp"],
  ["TIMESTAMP_NS", "timestamp"],
  ["TIMESTAMP WITH TIME ZONE", "timestamptz"],
  ["INTERVAL", "interval"],
  ["UUID", "uuid"],
  ["JSON", "json"],
  ["STRUCT", "json"],
  ["MAP", "json"],
  ["UNION", "json"],
  ["VARIANT", "json"],
  ["BLOB", "bytes"],
]);

/** Returns the value type for a type as DuckDB writes it, such as `DECIMAL(12,2)`, `INTEGER[3]` or `STRUCT(a INTEGER)`. */
export function duckdbTypeOf(nativeType: string): ValueType {
  if (nativeType.endsWith("]")) return "array";
  const [name = ""] = nativeType.split("(");
  return byName.get(name.trim().toUpperCase()) ?? "other";
}
