import type { UsageCount } from "../../history/query-history.ts";
import type { KnownJoin, KnownTable } from "../../knowledge/known.ts";

/** The maximum number of models, because nobody reviews more at a time. */
const maxModels = 30;

export interface ChosenTables {
  readonly chosen: readonly KnownTable[];
  /** The number of tables that were left out because of the limit. */
  readonly left: number;
}

/**
 * Chooses the tables that statements use most, then those with the most joins and the most rows. If one table is wanted, chooses only that
 * table and the targets of its joins.
 */
export function chooseTables(
  tables: readonly KnownTable[],
  joins: readonly Pick<KnownJoin, "from" | "to">[],
  wanted: KnownTable | undefined,
  usage: ReadonlyMap<string, UsageCount> = new Map(),
): ChosenTables {
  const readable = tables.filter(
    ({ problem, rows, columns }) => problem === undefined && rows !== 0 && columns.length > 0,
  );
  if (wanted !== undefined) return { chosen: reachable(wanted, tables, joins).slice(0, maxModels), left: 0 };
  const counts = new Map<string, number>();
  for (const { from, to } of joins)
    for (const table of new Set([from.table, to.table])) counts.set(table, (counts.get(table) ?? 0) + 1);
  const ranked = readable.toSorted(
    (a, b) =>
      (usage.get(b.id)?.runs ?? 0) - (usage.get(a.id)?.runs ?? 0) ||
      (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0) ||
      (b.rows ?? 0) - (a.rows ?? 0),
  );
  const chosen = ranked.slice(0, maxModels).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { chosen, left: ranked.length - chosen.length };
}

function reachable(
  start: KnownTable,
  tables: readonly KnownTable[],
  joins: readonly Pick<KnownJoin, "from" | "to">[],
): readonly KnownTable[] {
  const found = new Set([start]);
  for (const table of found) {
    for (const { to } of joins.filter(({ from }) => from.table === table.id)) {
      const other = tables.find(({ id }) => id === to.table);
      if (other !== undefined && other.problem === undefined) found.add(other);
    }
  }
  return [...found];
}
