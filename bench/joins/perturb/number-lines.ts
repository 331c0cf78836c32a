import type { TableRows } from "../../../packages/context/src/joins/profile-rows.ts";
import { type Gold, keyId } from "../gold.ts";
import { drawFrom, pickFrom } from "./random.ts";

/** Tables with the keys and links that they have after the change. */
export interface TablesWithGold {
  readonly tables: readonly TableRows[];
  readonly gold: Gold;
}

const counterNames = ["no", "line", "seq", "position", "number", "lnr"] as const;

/**
 * Replaces the keys of half of the tables that link to another table while no table links to them: their rows are numbered within each
 * parent, like the lines of an order.
 */
export function numberLines(tables: readonly TableRows[], gold: Gold): TablesWithGold {
  const keys = new Set(gold.keys);
  const changed = tables.map((table) => {
    const ends = drawFrom("lines", table.id) < 0.5 ? findEnds(table, gold) : undefined;
    if (ends === undefined) return table;
    const numbered = numberRows(table, ends);
    keys.delete(keyId({ table: table.id, columns: [nameAt(table, ends.key)] }));
    keys.add(keyId({ table: table.id, columns: [nameAt(numbered, 0), nameAt(numbered, 1)] }));
    return numbered;
  });
  return { tables: changed, gold: { ...gold, keys } };
}

interface Ends {
  readonly key: number;
  readonly parent: number;
}

/** Finds the positions of the key and of the link to the parent, if the table has one of each. */
function findEnds(table: TableRows, { keys, foreignKeys }: Gold): Ends | undefined {
  const isOwn = (end: { readonly table: string }) => end.table.toLowerCase() === table.id.toLowerCase();
  if (foreignKeys.some(({ to }) => isOwn(to))) return undefined;
  const key = table.columns.findIndex(({ name }) => keys.has(keyId({ table: table.id, columns: [name] })));
  const places = foreignKeys
    .filter(({ from }) => isOwn(from) && from.columns.length === 1)
    .map(({ from }) => table.columns.findIndex(({ name }) => name.toLowerCase() === from.columns[0]?.toLowerCase()));
  if (key < 0 || places.includes(key)) return undefined;
  const parent = places.find((place) => place >= 0 && hasLines(table, place));
  return parent === undefined ? undefined : { key, parent };
}

/** Whether every row has a parent, and some parents have several rows. */
function hasLines({ rows }: TableRows, place: number): boolean {
  const values = rows.map((row) => row[place]);
  return values.every((value) => value !== null) && new Set(values.map(String)).size < rows.length;
}

/** Puts the parent column first, then a row number, then the other columns. */
function numberRows(table: TableRows, { key, parent }: Ends): TableRows {
  const rest = table.columns.map((_, at) => at).filter((at) => at !== key && at !== parent);
  const pick = (row: readonly unknown[], number: unknown) => [row[parent], number, ...rest.map((at) => row[at])];
  const counts = new Map<string, number>();
  const rows = table.rows.map((row) => {
    const count = (counts.get(String(row[parent])) ?? 0) + 1;
    counts.set(String(row[parent]), count);
    return pick(row, count);
  });
  const taken = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  const name = pickFrom(counterNames, "counter", table.id);
  const counter = { name: taken.has(name) ? `${name}_of_parent` : name, type: "INTEGER" };
  const columns = [table.columns[parent], counter, ...rest.map((at) => table.columns[at])];
  return { ...table, columns: columns.flatMap((column) => column ?? []), rows };
}

function nameAt({ columns }: TableRows, at: number): string {
  return columns[at]?.name ?? "";
}
