import type { ValueType } from "../../../port/structure.ts";
import type { ResultColumn, WarehouseRow, WarehouseValue } from "../../../port/values.ts";
import { ExactNumber, writeExactJson } from "./exact-json.ts";
import { clickhouseValueType, elementType } from "./value-types.ts";

export function clickhouseColumn(name: string, nativeType: string): ResultColumn {
  return { name, type: clickhouseValueType(nativeType), nativeType };
}

/** Converts a row, whose numbers are exact, to warehouse values. */
export function convertClickHouseRow(row: readonly unknown[], columns: readonly ResultColumn[]): WarehouseRow {
  return columns.map(({ type, nativeType }, index) => convertValue(row[index], type, nativeType));
}

function convertValue(value: unknown, type: ValueType, nativeType: string): WarehouseValue {
  if (value === null || value === undefined) return null;
  if (type === "array" && Array.isArray(value)) {
    const inner = elementType(nativeType);
    return value.map((entry) => convertValue(entry, clickhouseValueType(inner), inner));
  }
  if (typeof value === "boolean") return value;
  if (type === "json" || (typeof value === "object" && !(value instanceof ExactNumber))) return writeExactJson(value);
  const text = value instanceof ExactNumber ? value.text : String(value);
  if (type === "integer") return BigInt(text);
  if (type === "float") return floatOf(text);
  return type === "timestamptz" || type === "time" ? formatTime(text) : text;
}

function floatOf(text: string): number {
  if (/nan$/i.test(text)) return Number.NaN;
  if (/inf$/i.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

/** Formats a time without zeros at the end of the fraction. */
function formatTime(text: string): string {
  return text.replace(/\.(\d*?)0+(?=Z?$)/, (_, digits: string) => (digits === "" ? "" : `.${digits}`));
}
