import type { ValueType } from "../../../port/structure.ts";

const byDataType: ReadonlyMap<string, ValueType> = new Map([
  ...["tinyint", "smallint", "mediumint", "int", "integer", "bigint", "year"].map((name) => [name, "integer"] as const),
  ...["decimal", "numeric"].map((name) => [name, "decimal"] as const),
  ...["float", "double", "real"].map((name) => [name, "float"] as const),
  ...["char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set", "inet4", "inet6"].map(
    (name) => [name, "text"] as const,
  ),
  ...["binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"].map((name) => [name, "bytes"] as const),
  ["date", "date"],
  ["time", "time"],
  ["datetime", "timestamp"],
  ["timestamp", "timestamptz"],
  ["json", "json"],
  ["uuid", "uuid"],
]);

/** Returns the value type of a column in the catalog. `columnType` is the column's full type, such as `bit(8)`. */
export function mysqlValueType(dataType: string, columnType: string): ValueType {
  if (dataType === "bit") return columnType === "bit(1)" ? "boolean" : "integer";
  return byDataType.get(dataType) ?? "other";
}
