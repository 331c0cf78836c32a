import type { DriftEntry, JoinFacts, KeyFacts } from "../facts/facts.ts";
import type { StoredScan } from "../facts/stored-scan.ts";
import { compareJoins, compareTables } from "./drift.ts";

interface FinishedTable {
  readonly id: string;
  readonly fingerprint: string;
  readonly key?: KeyFacts | undefined;
}

/** Lists the differences between the last finished scan and this one. Empty for the first scan. Names no table outside the scope. */
export function compareScans(
  connection: string,
  tables: readonly FinishedTable[],
  joins: readonly JoinFacts[],
  stored: StoredScan,
  isInScope: (id: string) => boolean,
): readonly DriftEntry[] {
  if (!stored.isScanned(connection)) return [];
  const before = new Map([...stored.committed(connection)].filter(([id]) => isInScope(id)));
  const after = new Map(tables.map((table) => [table.id, table]));
  const entries: DriftEntry[] = [];
  for (const id of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [before.get(id), after.get(id)];
    if (old?.fingerprint === now?.fingerprint && sameKey(old?.key, now?.key)) continue;
    const load = (table: { fingerprint: string; key?: KeyFacts | undefined } | undefined) => {
      const facts = table && stored.measured(id, table.fingerprint)?.facts;
      return facts && { ...facts, key: table?.key };
    };
    entries.push(...compareTables({ id, before: load(old), after: load(now) }));
  }
  const joinsBefore = stored.joins(connection).filter(({ from, to }) => isInScope(from.table) && isInScope(to.table));
  return [...entries, ...compareJoins(joinsBefore, joins)];
}

function sameKey(a: KeyFacts | undefined, b: KeyFacts | undefined): boolean {
  return a?.columns.join("\0") === b?.columns.join("\0");
}
