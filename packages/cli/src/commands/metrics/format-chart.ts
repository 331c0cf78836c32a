import type { MetricAnswer } from "@bridle/app/metrics";
import { columnsOf, cutAt, padEnd } from "../../terminal/columns.ts";
import type { Page } from "../../terminal/page.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { formatCell } from "../sql/format-rows.ts";

const widestLabel = 30;
const widestBar = 50;
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for each row and measure, all of one measure on one scale. Values are as exact as in the table. */
export function formatChart({ columns, rows }: MetricAnswer, { width, paint }: Page): string {
  const measures = columns.flatMap(({ kind, name }, at) => (kind === "measure" ? [{ name, at }] : []));
  const labels = rows.map((row) => cutAt(toPrintableLine(labelOf(row, columns)), widestLabel));
  const labelWidth = Math.max(0, ...labels.map(columnsOf));
  return measures
    .map(({ name, at }) => {
      const values = rows.map((row) => Number(row[at] ?? 0));
      const texts = rows.map((row) => formatCell(row[at] ?? null));
      const textWidth = Math.max(0, ...texts.map(columnsOf));
      const room = Math.max(8, Math.min(widestBar, width - labelWidth - textWidth - 4));
      const greatest = Math.max(0, ...values.map(Math.abs).filter(Number.isFinite));
      const lines = values.map((value, index) => {
        const bar = barOf(value, greatest, room);
        return `${padEnd(labels[index] ?? "", labelWidth)}  ${padEnd(texts[index] ?? "", textWidth)}  ${bar}`.trimEnd();
      });
      return [paint("dim", toPrintableLine(name)), ...lines].map((line) => `${line}\n`).join("");
    })
    .join("\n");
}

function labelOf(row: MetricAnswer["rows"][number], columns: MetricAnswer["columns"]): string {
  const dimensions = row.filter((_, at) => columns[at]?.kind === "dimension");
  return dimensions.length === 0 ? "all" : dimensions.map(formatCell).join(", ");
}

/** Negative values begin with a minus sign. */
function barOf(value: number, greatest: number, room: number): string {
  if (!Number.isFinite(value) || greatest === 0) return "";
  const parts = Math.round((Math.abs(value) / greatest) * (room - 1) * 8);
  return `${value < 0 ? "-" : ""}${"█".repeat(Math.floor(parts / 8))}${eighths[parts % 8]}`;
}
