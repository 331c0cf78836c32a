import type { SqlResult } from "@bridle/app/warehouses";
import { counted, showHidden } from "@bridle/protocol";
import type { Output } from "../../command/cli.ts";
import type { Page } from "../../terminal/page.ts";
import { textTable } from "../../terminal/text-table.ts";

type Cell = SqlResult["rows"][number][number];

interface ShownRows extends Pick<SqlResult, "rows"> {
  readonly columns: readonly { readonly name: string }[];
}

/** Formats the rows as a table. Long values are cut to the width of a terminal. */
export function formatRows({ columns, rows }: ShownRows, page: Page): string {
  const head = columns.map(({ name }) => name);
  return textTable(
    head,
    rows.map((row) => row.map(formatCell)),
    page,
  )
    .map((line) => `${line}\n`)
    .join("");
}

/**
 * Formats the rows as CSV (RFC 4180), with line feeds. NULL is an empty field, and an empty string is `""`. Files contain the stored
 * characters. On a terminal, control characters are shown as escapes.
 */
export function formatCsv({ columns, rows }: ShownRows, { isTTY }: Pick<Output, "isTTY">): string {
  const show = isTTY ? (text: string) => showHidden(text, "\n\t") : (text: string) => text;
  const head = columns.map(({ name }) => csvText(show(name))).join(",");
  const lines = rows.map((row) => row.map((cell) => csvCell(typeof cell === "string" ? show(cell) : cell)).join(","));
  return [head, ...lines].map((line) => `${line}\n`).join("");
}

/** Lists notes that readers of the rows need. */
export function notesOf({ rows, truncated, masked, filtered, warnings }: SqlResult): readonly string[] {
  const cut =
    truncated === "rows"
      ? `there are more than ${counted(rows.length, "row")}; --rows reads more`
      : "its size limit was reached";
  return [
    ...(truncated === null ? [] : [`The result is cut: ${cut}.`]),
    ...warnings,
    ...(masked.length > 0 ? [`Replaced by digests, because they are sensitive: ${masked.join(", ")}.`] : []),
    ...(filtered.length > 0 ? [`A row filter of the connection hides rows of ${filtered.join(", ")}.`] : []),
  ];
}

/** Formats a value on one line. */
export function formatCell(cell: Cell): string {
  if (cell === null) return "NULL";
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (cell === "") return '""';
  return csvText(formatCell(cell));
}

function csvText(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
