import type { ValueType } from "../../../port/structure.ts";

const types: ReadonlyMap<string, ValueType> = new Map([
  ...["tinyint", "smallint", "int", "bigint"].map((name) => [name, "integer"] as const),
  ...["decimal", "numeric", "money", "smallmoney"].map((name) => [name, "decimal"] as const),
  ...["float", "real"].map((name) => [name, "float"] as const),
  ...["char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname"].map((name) => [name, "text"] as const),
  ...["binary", "varbinary", "image", "timestamp", "rowversion"].map((name) => [name, "bytes"] as const),
  ...["datetime", "smalldatetime", "datetime2"].map((name) => [name, "timestamp"] as const),
  ["bit", "boolean"],
  ["date", "date"],
  ["time", "time"],
  ["datetimeoffset", "timestamptz"],
  ["uniqueidentifier", "uuid"],
  ["json", "json"],
]);

/** Returns a column's value type, by its type name in the catalog, such as `nvarchar`. */
export function sqlserverValueType(name: string): ValueType {
  return types.get(name.toLowerCase()) ?? "other";
}
