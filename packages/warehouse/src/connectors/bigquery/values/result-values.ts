import { InvalidRequestError } from "@bridle/protocol";
import { z } from "zod";
import type { ValueType } from "../../../port/structure.ts";
import type { ResultColumn, WarehouseRow, WarehouseValue } from "../../../port/values.ts";
import { type BigQueryField, elementTypeOf, fieldTypeOf, isRepeated, sqlTypeOf } from "./fields.ts";

const cellSchema = z.object({ v: z.unknown() });
const recordSchema = z.object({ f: z.array(cellSchema) });
const listSchema = z.array(cellSchema);

/** A row as the API sends it: `{ f: [{ v: "1" }, …] }`. */
export const rowSchema = recordSchema;
export type BigQueryRow = z.output<typeof rowSchema>;

export function bigqueryColumn(field: BigQueryField): ResultColumn {
  return { name: field.name, type: fieldTypeOf(field), nativeType: sqlTypeOf(field) };
}

/** Converts a row to warehouse values. The API sends each value as a string, a list or a record. */
export function convertBigQueryRow({ f }: BigQueryRow, fields: readonly BigQueryField[]): WarehouseRow {
  return fields.map((field, index) => convertCell(f[index]?.v, field));
}

function convertCell(value: unknown, field: BigQueryField): WarehouseValue {
  if (value === null || value === undefined) return null;
  if (isRepeated(field)) return listSchema.parse(value).map(({ v }) => convertOne(v, field));
  return convertOne(value, field);
}

function convertOne(value: unknown, field: BigQueryField): WarehouseValue {
  if (value === null || value === undefined) return null;
  const type = elementTypeOf(field);
  if (field.fields !== undefined && type === "json") return writeRecord(value, field.fields);
  const text = z.string().parse(value);
  return isTimestampRange(field) ? formatTimestampRange(text) : convertText(text, type);
}

function isTimestampRange({ type, rangeElementType }: BigQueryField): boolean {
  return type === "RANGE" && rangeElementType?.type === "TIMESTAMP";
}

/** Formats `[0, UNBOUNDED)` with microseconds since 1970 as ISO 8601. */
function formatTimestampRange(text: string): string {
  return text.replaceAll(/-?\d+/g, formatMicroseconds);
}

function convertText(text: string, type: ValueType): WarehouseValue {
  switch (type) {
    case "integer":
      return BigInt(text);
    case "float":
      return floatOf(text);
    case "boolean":
      return text === "true";
    case "bytes":
      return new Uint8Array(Buffer.from(text, "base64"));
    case "timestamptz":
      return formatMicroseconds(text);
    case "time":
    case "timestamp":
      return withoutZeros(text);
    default:
      return text;
  }
}

function floatOf(text: string): number {
  if (/^-?inf/i.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

function withoutZeros(text: string): string {
  return text.replace(/\.(\d*?)0+$/, (_, digits: string) => (digits === "" ? "" : `.${digits}`));
}

/** Formats microseconds since 1970 as ISO 8601 in UTC. */
function formatMicroseconds(text: string): string {
  if (!/^-?\d+$/.test(text)) throw new InvalidRequestError("BigQuery sent a timestamp that cannot be read.");
  const micros = BigInt(text);
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - fraction) / 1_000n)).toISOString().slice(0, 19);
  return fraction === 0n ? `${seconds}Z` : `${withoutZeros(`${seconds}.${String(fraction).padStart(6, "0")}`)}Z`;
}

/** Writes a STRUCT as JSON, with all digits of its numbers. */
function writeRecord(value: unknown, fields: readonly BigQueryField[]): string {
  const { f } = recordSchema.parse(value);
  const entries = fields.map((field, index) => `${JSON.stringify(field.name)}:${writeCell(f[index]?.v, field)}`);
  return `{${entries.join(",")}}`;
}

function writeCell(value: unknown, field: BigQueryField): string {
  if (value === null || value === undefined) return "null";
  if (!isRepeated(field)) return writeOne(value, field);
  return `[${listSchema
    .parse(value)
    .map(({ v }) => writeOne(v, field))
    .join(",")}]`;
}

function writeOne(value: unknown, field: BigQueryField): string {
  if (value === null || value === undefined) return "null";
  const type = elementTypeOf(field);
  if (field.fields !== undefined && type === "json") return writeRecord(value, field.fields);
  const text = z.string().parse(value);
  if (type === "json" || type === "integer" || type === "decimal") return text;
  if (type === "bytes") return JSON.stringify(text);
  if (isTimestampRange(field)) return JSON.stringify(formatTimestampRange(text));
  const converted = convertText(text, type);
  const isPlain = typeof converted === "boolean" || (typeof converted === "number" && Number.isFinite(converted));
  return isPlain ? JSON.stringify(converted) : JSON.stringify(String(converted));
}
