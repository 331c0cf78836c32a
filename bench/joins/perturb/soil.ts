import type { TableRows } from "../../../packages/context/src/joins/profile-rows.ts";
import type { Gold } from "../gold.ts";
import { drawFrom } from "./random.ts";

type Tables = readonly TableRows[];
/** The smallest number of rows that a trimmed table keeps. */
const fewest = 8;

type Change = (value: unknown, row: number) => unknown;

/** Gives three in a hundred rows with a link a value that is nowhere else. */
export function addOrphans(tables: Tables, gold: Gold): Tables {
  const linked = new Set(
    gold.foreignKeys.flatMap(({ from }) => from.columns.map((column) => `${from.table} ${column}`.toLowerCase())),
  );
  return tables.map((table) =>
    changeColumns(table, (column) => {
      if (!linked.has(`${table.id} ${column}`.toLowerCase())) return undefined;
      return (value, row) =>
        isMissing(value) || drawFrom("orphan", table.id, row) >= 0.03 ? value : orphanOf(value, table.id, row);
    }),
  );
}

/** Returns a value that occurs nowhere else. It depends only on the row, so that rows stay different from each other. */
function orphanOf(value: unknown, table: string, row: number): unknown {
  const number = Math.floor(drawFrom("number", table, row) * 1e6);
  if (typeof value === "bigint") return BigInt(900_000_000 + number);
  return typeof value === "number" ? 900_000_000 + number : `X${number}`;
}

/** Replaces missing text values with blanks, and adds spaces after one text value in three. */
export function addBlanks(tables: Tables): Tables {
  return tables.map((table) =>
    changeColumns(table, (column, at) => {
      if (!table.rows.some((row) => typeof row[at] === "string")) return undefined;
      return (value, row) => {
        if (value === null) return " ";
        return typeof value === "string" && drawFrom("blank", table.id, column, row) < 0.33 ? `${value}  ` : value;
      };
    }),
  );
}

/** Turns all values into strings. */
export function makeTexts(tables: Tables): Tables {
  return tables.map((table) => ({
    ...changeColumns(table, () => (value) => (value === null ? null : String(value))),
    columns: table.columns.map((column) => ({ ...column, type: "TEXT" })),
  }));
}

/** Removes the rows of one table in six. */
export function emptyTables(tables: Tables): Tables {
  return tables.map((table) => (isEmptied(table) ? { ...table, rows: [] } : table));
}

/** Keeps only a quarter of the rows of tables that no link points to, so that more columns are unique by chance. */
export function trimTables(tables: Tables, gold: Gold): Tables {
  const parents = new Set(gold.foreignKeys.map(({ to }) => to.table.toLowerCase()));
  return tables.map((table) => {
    if (parents.has(table.id.toLowerCase()) || table.rows.length <= fewest) return table;
    const order = table.rows.map((row, at) => ({ row, draw: drawFrom("trim", table.id, at) }));
    const drawn = order.toSorted((a, b) => a.draw - b.draw).slice(0, Math.max(fewest, table.rows.length / 4));
    return { ...table, rows: drawn.map(({ row }) => row) };
  });
}

function isEmptied({ id }: TableRows): boolean {
  return drawFrom("empty", id) < 1 / 6;
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || String(value).trim() === "";
}

function changeColumns(table: TableRows, changeOf: (column: string, at: number) => Change | undefined): TableRows {
  const changes = table.columns.map(({ name }, at) => changeOf(name, at));
  const rows = table.rows.map((values, row) => values.map((value, at) => changes[at]?.(value, row) ?? value));
  return { ...table, rows };
}
