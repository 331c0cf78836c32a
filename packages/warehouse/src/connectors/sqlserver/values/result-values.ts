import { InvalidRequestError } from "@bridle/protocol";
import type { ResultColumn, WarehouseRow, WarehouseValue } from "../../../port/values.ts";
import { sqlserverValueType } from "./value-types.ts";

/** The driver's description of a column. */
export interface DriverColumn {
  readonly colName: string;
  readonly type: { readonly name: string };
  readonly scale?: number | undefined;
  readonly dataLength?: number | undefined;
}

/** The driver's type names that differ from the catalog's. Some types have a separate name if they can be NULL. */
const catalogNames: ReadonlyMap<string, string> = new Map([
  ["IntN", "int"],
  ["BitN", "bit"],
  ["FloatN", "float"],
  ["DecimalN", "decimal"],
  ["NumericN", "numeric"],
  ["MoneyN", "money"],
  ["DateTimeN", "datetime"],
  ["BigVarBin", "varbinary"],
]);

export function sqlserverColumn({ colName, type }: DriverColumn): ResultColumn {
  const nativeType = catalogNames.get(type.name) ?? type.name.toLowerCase();
  return { name: colName, type: sqlserverValueType(nativeType), nativeType };
}

/** Converts the driver's values to warehouse values. */
export function convertSqlServerRow(
  row: readonly unknown[],
  columns: readonly ResultColumn[],
  driver: readonly DriverColumn[],
): WarehouseRow {
  return columns.map((column, index) => convertValue(row[index], column, driver[index]?.scale));
}

function convertValue(value: unknown, column: ResultColumn, scale: number | undefined): WarehouseValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return formatDate(value, column.type);
  if (value instanceof Uint8Array) return column.type === "bytes" ? value : `0x${Buffer.from(value).toString("hex")}`;
  if (typeof value === "number" && column.type === "decimal") return exactDecimal(value, column, scale ?? 4);
  if ((typeof value === "number" || typeof value === "string") && column.type === "integer") return BigInt(value);
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return value;
  return column.type === "uuid" ? String(value).toLowerCase() : String(value);
}

/** Writes a decimal. The driver reads decimals as floating-point numbers, which are exact up to 2^53 units of the last digit. */
function exactDecimal(value: number, { name }: ResultColumn, scale: number): string {
  if (Math.abs(value) * 10 ** scale < Number.MAX_SAFE_INTEGER) return value.toFixed(scale);
  throw new InvalidRequestError(
    `The column "${name}" contains a decimal of more than 15 digits, which the driver cannot read exactly. Select CONVERT(varchar(50), …) of it.`,
  );
}

/** Formats the driver's dates, which have milliseconds, and a separate property for the smaller parts of a second. */
function formatDate(value: Date, type: string): string {
  const delta = "nanosecondsDelta" in value && typeof value.nanosecondsDelta === "number" ? value.nanosecondsDelta : 0;
  const iso = value.toISOString();
  const [date = "", time = ""] = iso.replace("Z", "").split("T");
  const [seconds = "", milliseconds = "000"] = time.split(".");
  const fraction = `${milliseconds}${String(Math.round(delta * 1e7)).padStart(4, "0")}`.replace(/0+$/, "");
  const clock = fraction === "" ? seconds : `${seconds}.${fraction}`;
  if (type === "date") return date;
  if (type === "time") return clock;
  return type === "timestamptz" ? `${date}T${clock}Z` : `${date}T${clock}`;
}
