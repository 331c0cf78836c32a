import type { Block } from "../block.ts";
import type { TextBudget } from "../parse-limits.ts";
import type { SheetRow } from "./read-sheet.ts";

/** The maximum width, from the first to the last column, of tables that are written with their empty cells. */
const maxAlignedColumns = 200;

/** The number of first rows among which a table's header is searched for, because a title may be above it. */
const rowsBeforeData = 5;

/** Writes the tables of a sheet below the sheet's name. An empty row ends a table. Each line of a table is one row. */
export function sheetBlocks(name: string, rows: readonly SheetRow[], budget: TextBudget): readonly Block[] {
  if (rows.length === 0) return [];
  return [{ kind: "heading", depth: 1, text: name }, ...tablesIn(rows).map((table) => toBlock(table, budget))];
}

function tablesIn(rows: readonly SheetRow[]): readonly SheetRow[][] {
  const tables: SheetRow[][] = [];
  for (const row of rows) {
    const open = tables.at(-1);
    if (open !== undefined && open.at(-1)?.number === row.number - 1) open.push(row);
    else tables.push([row]);
  }
  return tables;
}

function toBlock(rows: readonly SheetRow[], budget: TextBudget): Block {
  const columns = rangeOf(rows);
  const lines = rows.map((row) => lineOf(row, columns, budget));
  const header = headerOf(rows);
  return {
    kind: "table",
    text: lines.join("\n"),
    lines: { from: rows[0]?.number ?? 1, to: rows.at(-1)?.number ?? 1 },
    ...(header > 0 && header < rows.length && { head: lines.slice(0, header).join("\n") }),
  };
}

interface Columns {
  readonly first: number;
  readonly isAligned: boolean;
}

function rangeOf(rows: readonly SheetRow[]): Columns {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { cells } of rows)
    for (const { column } of cells) [first, last] = [Math.min(first, column), Math.max(last, column)];
  return { first, isAligned: last - first < maxAlignedColumns };
}

function lineOf({ cells }: SheetRow, { first, isAligned }: Columns, budget: TextBudget): string {
  for (const { text } of cells) budget.add(text.length);
  if (!isAligned) return cells.map(({ text }) => oneLine(text)).join(separator);
  const texts: string[] = [];
  for (const { column, text } of cells) texts[column - first] = oneLine(text);
  budget.add(texts.length * separator.length);
  return Array.from(texts, (text) => text ?? "").join(separator);
}

const separator = " | ";

/**
 * Returns the number of header rows up to the first row with several text cells, including a title above; 0 if the table has no such row.
 */
function headerOf(rows: readonly SheetRow[]): number {
  return (
    rows.slice(0, rowsBeforeData).findIndex(({ cells }) => cells.length > 1 && cells.every(({ isText }) => isText)) + 1
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
