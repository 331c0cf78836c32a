/** Converts the values of all engines to one form, so that rows can be compared. Integers and decimals keep all their digits. */
import type { SqlType } from "../src/ir/sql-expression.ts";
import type { Row } from "./engines.ts";

type Comparable = string | null;

export function comparableRow(row: Row, types: readonly SqlType[]): readonly Comparable[] {
  return row.map((value, index) => comparableValue(value, types[index] ?? "unknown"));
}

function comparableValue(value: unknown, type: SqlType): Comparable {
  if (value === null || value === undefined) return null;
  if (type === "boolean") return ["true", "t", "1"].includes(String(value)) ? "true" : "false";
  if (type === "text") return value instanceof Uint8Array ? `bytes ${String(value)}` : String(value);
  if (type === "date" || type === "timestamp" || type === "timestamptz") return momentOf(String(value), type);
  return type === "double" ? roundedNumber(Number(value)) : exactNumber(String(value));
}

function momentOf(text: string, type: SqlType): string {
  const [day = "", time = "00:00:00"] = text.replace("T", " ").split(" ");
  return type === "date" ? day : `${day} ${time.replace(/\.0+$/, "").slice(0, 19)}`;
}

/** Rounds a number, because each engine adds doubles in a different order. */
function roundedNumber(value: number): string {
  return String(Number(value.toPrecision(11)));
}

function exactNumber(text: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const trimmed = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return trimmed === "-0" ? "0" : trimmed;
}

/** Sorts rows independently of the engine. */
export function sortedRows(rows: readonly (readonly Comparable[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
