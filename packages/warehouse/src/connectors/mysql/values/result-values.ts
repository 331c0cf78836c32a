import type { FieldPacket } from "mysql2";
import type { ValueType } from "../../../port/structure.ts";
import type { ResultColumn, WarehouseRow, WarehouseValue } from "../../../port/values.ts";

/** The protocol's types, by their number. Text and bytes share types, and differ only in the character set. */
const wireTypes: ReadonlyMap<number, readonly [ValueType, string]> = new Map([
  [0, ["decimal", "decimal"]],
  [1, ["integer", "tinyint"]],
  [2, ["integer", "smallint"]],
  [3, ["integer", "int"]],
  [4, ["float", "float"]],
  [5, ["float", "double"]],
  [6, ["text", "null"]],
  [7, ["timestamptz", "timestamp"]],
  [8, ["integer", "bigint"]],
  [9, ["integer", "mediumint"]],
  [10, ["date", "date"]],
  [11, ["time", "time"]],
  [12, ["timestamp", "datetime"]],
  [13, ["integer", "year"]],
  [14, ["date", "date"]],
  [16, ["integer", "bit"]],
  [245, ["json", "json"]],
  [246, ["decimal", "decimal"]],
  [255, ["other", "geometry"]],
]);

/** The flags of a column that is an ENUM, a SET or unsigned. */
const enumFlag = 256;
const setFlag = 2048;
const unsignedFlag = 32;
const binaryCharset = 63;

export function resultColumn(field: FieldPacket): ResultColumn {
  const [type, nativeType] = typeOf(field);
  return { name: field.name, type, nativeType };
}

function typeOf(field: FieldPacket): readonly [ValueType, string] {
  const flags = typeof field.flags === "number" ? field.flags : 0;
  const known = wireTypes.get(field.columnType ?? -1);
  if (known?.[1] === "bit")
    return field.columnLength === 1 ? ["boolean", "bit(1)"] : ["integer", `bit(${field.columnLength})`];
  if (known !== undefined)
    return (flags & unsignedFlag) !== 0 && known[0] === "integer" ? [known[0], `${known[1]} unsigned`] : known;
  const extended = extendedType(field);
  if (extended !== undefined) return extended;
  if ((flags & enumFlag) !== 0) return ["text", "enum"];
  if ((flags & setFlag) !== 0) return ["text", "set"];
  return field.characterSet === binaryCharset ? ["bytes", "varbinary"] : ["text", "varchar"];
}

/** Returns the type from a separate field, where MariaDB reports types that the protocol does not have. */
function extendedType(field: FieldPacket): readonly [ValueType, string] | undefined {
  if ("extendedFormat" in field && field.extendedFormat === "json") return ["json", "json"];
  if (!("extendedTypeName" in field) || typeof field.extendedTypeName !== "string") return undefined;
  if (field.extendedTypeName === "uuid") return ["uuid", "uuid"];
  if (field.extendedTypeName.startsWith("inet")) return ["text", field.extendedTypeName];
  return undefined;
}

/** Converts the driver's values to warehouse values. */
export function convertRow(row: readonly unknown[], columns: readonly ResultColumn[]): WarehouseRow {
  return columns.map((column, index) => convertValue(row[index], column));
}

function convertValue(value: unknown, { type, nativeType }: ResultColumn): WarehouseValue {
  if (value === null || value === undefined) return null;
  if (nativeType.startsWith("bit") && value instanceof Uint8Array) return convertBit(value, type);
  if (value instanceof Uint8Array) return type === "bytes" ? value : `0x${Buffer.from(value).toString("hex")}`;
  if (type === "integer" && (typeof value === "string" || typeof value === "number")) return BigInt(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return value;
  const text = String(value);
  if (type === "timestamp") return text.replace(" ", "T");
  if (type === "timestamptz") return `${text.replace(" ", "T")}Z`;
  return text;
}

function convertBit(value: Uint8Array, type: ValueType): WarehouseValue {
  const number = value.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return type === "boolean" ? number !== 0n : number;
}
