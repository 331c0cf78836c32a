import type { MetricAnswer } from "@bridle/app/metrics";
import { columnsOf, cutAt, padEnd, padStart } from "../../terminal/columns.ts";
import type { Page } from "../../terminal/page.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { formatCell } from "../sql/format-rows.ts";
import { BarScale } from "./bar-scale.ts";
import { formatInColumn } from "./in-formats.ts";

const widestLabel = 30;
const widestBar = 50;
/** The minimum width of a bar. If less is left, values are rounded first. */
const narrowestBar = 10;

type Rows = MetricAnswer["rows"];

/** Formats a bar for each row and measure. The bars of a measure have the same scale. */
export function formatChart({ columns, rows }: MetricAnswer, { width, paint }: Page): string {
  const measures = columns.flatMap((column, at) => (column.kind === "measure" ? [{ column, at }] : []));
  const widest = Math.min(widestLabel, Math.max(narrowestBar, Math.floor(width * 0.4)));
  const labels = rows.map((row) => cutAt(toPrintableLine(labelOf(row, columns)), widest));
  const charts = measures.map(({ column, at }) => {
    const lines = linesOf(labels, rows, { column, at, width });
    return [paint("dim", toPrintableLine(column.name)), ...lines].map((line) => `${line}\n`).join("");
  });
  return charts.join("\n");
}

interface ChartColumn {
  readonly column: MetricAnswer["columns"][number];
  readonly at: number;
  readonly width: number;
}

function linesOf(labels: readonly string[], rows: Rows, { column, at, width }: ChartColumn): string[] {
  const labelWidth = Math.max(0, ...labels.map(columnsOf));
  const roomFor = (texts: readonly string[]) => width - labelWidth - widthOf(texts) - 4;
  const exact = rows.map((row) => formatInColumn(row[at] ?? null, column));
  const texts = roomFor(exact) < narrowestBar ? rows.map((row, index) => rounded(row[at], exact[index] ?? "")) : exact;
  const values = rows.map((row) => toNumber(row[at]));
  const scale = new BarScale(values, Math.max(narrowestBar, Math.min(widestBar, roomFor(texts))));
  return values.map((value, index) => {
    const text = texts[index] ?? "";
    const label = padEnd(labels[index] ?? "", labelWidth);
    return `${label}  ${padStart(text, widthOf(texts))}  ${scale.bar(value)}`.trimEnd();
  });
}

function widthOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(columnsOf));
}

/** Returns the number to draw. Undefined for NULL and values that are not numbers, which have no bar. */
function toNumber(value: Rows[number][number] | undefined): number | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Rounds to four digits, and marks the value as rounded if any digits were lost. */
function rounded(value: Rows[number][number] | undefined, exact: string): string {
  const number = toNumber(value);
  if (number === undefined) return exact;
  const short = String(Number(number.toPrecision(4)));
  return columnsOf(short) + 1 < columnsOf(exact) ? `≈${short}` : exact;
}

function labelOf(row: Rows[number], columns: MetricAnswer["columns"]): string {
  const dimensions = row.filter((_, at) => columns[at]?.kind === "dimension");
  return dimensions.length === 0 ? "all" : dimensions.map(formatCell).join(", ");
}
