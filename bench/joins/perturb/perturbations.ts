import type { TableRows } from "../../../packages/context/src/joins/profile-rows.ts";
import type { Gold } from "../gold.ts";
import { numberLines, type TablesWithGold } from "./number-lines.ts";
import { drawFrom } from "./random.ts";
import { addPrefixes, dropPrefixes, hideColumns, makeOpaque, translate } from "./rename.ts";
import { addBlanks, addOrphans, emptyTables, makeTexts, trimTables } from "./soil.ts";

/** Changes names or values of a data set. Tables keep their ids, and columns their positions. */
export type Perturbation = (tables: readonly TableRows[], gold: Gold) => readonly TableRows[];

export const perturbations: Readonly<Record<string, Perturbation>> = {
  opaque: makeOpaque,
  columns: hideColumns,
  translated: translate,
  unprefixed: dropPrefixes,
  prefixed: addPrefixes,
  orphans: addOrphans,
  blanks: addBlanks,
  texts: makeTexts,
  empty: emptyTables,
  trimmed: trimTables,
  lines: (tables) => tables,
};

/** Changes that move columns, by the name of the perturbation. These changes come before changes of names or values. */
export const rearrangements: Readonly<Record<string, (tables: readonly TableRows[], gold: Gold) => TablesWithGold>> = {
  opaque: (tables, gold) => ({ tables: shuffleColumns(tables), gold }),
  lines: numberLines,
};

function shuffleColumns(tables: readonly TableRows[]): readonly TableRows[] {
  return tables.map((table) => {
    const places = table.columns.map((column, at) => ({ at, draw: drawFrom("shuffle", table.id, column.name) }));
    const order = places.toSorted((a, b) => a.draw - b.draw).map(({ at }) => at);
    return {
      ...table,
      columns: order.flatMap((at) => table.columns[at] ?? []),
      rows: table.rows.map((row) => order.map((at) => row[at])),
    };
  });
}
