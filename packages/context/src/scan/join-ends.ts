import type { JoinEnd, Relationship } from "../facts/facts.ts";
import { joinIdOf } from "../files/table-notes.ts";
import type { OrphanCount } from "../joins/profile.ts";
import type { ScannedTable } from "./warehouse-checks.ts";

/** Whether the tables and columns of both ends exist. */
export function hasEnds(tables: ReadonlyMap<string, ScannedTable>, from: JoinEnd, to: JoinEnd): boolean {
  const has = ({ table, columns }: JoinEnd) => {
    const known = tables.get(table)?.structure.columns.map(({ name }) => name) ?? [];
    return columns.length > 0 && columns.every((name) => known.includes(name));
  };
  return from.columns.length === to.columns.length && has(from) && has(to);
}

/** Returns the parts of a join that follow from its ends. */
export function joinOf(from: JoinEnd, to: JoinEnd, tables: ReadonlyMap<string, ScannedTable>) {
  const relationship: Relationship = !isUniqueIn(tables, to)
    ? "unknown"
    : isUniqueIn(tables, from)
      ? "one-to-one"
      : "many-to-one";
  return { id: joinIdOf(from, to), from: endOf(from), to: endOf(to), relationship };
}

function endOf({ table, columns }: JoinEnd): JoinEnd {
  return { table, columns };
}

/** Whether no value or tuple of the columns occurs twice, as far as this was measured. */
export function isUniqueIn(tables: ReadonlyMap<string, ScannedTable>, { table, columns }: JoinEnd): boolean {
  const found = tables.get(table);
  if (found === undefined) return false;
  const { structure, measurement } = found;
  const declared = [structure.primaryKey, ...structure.uniqueKeys];
  if (declared.some((key) => key.length > 0 && key.every((name) => columns.includes(name)))) return true;
  const profiles = measurement.profile.columns.filter(({ name }) => columns.includes(name));
  if (profiles.some(({ filled, distinct }) => filled > 0 && distinct === filled)) return true;
  const tuples = measurement.tuples.filter((each) => each.columns.every((name) => columns.includes(name)));
  return tuples.some(({ filled, distinct }) => filled > 0 && filled === distinct);
}

export function describeCounts({ filled, orphans, examples }: OrphanCount, signals: readonly string[]) {
  if (filled === 0) return {};
  const all = orphans === 0 ? "all values found" : "some values missing";
  return {
    evidence: { coverage: roundShare(1 - orphans / filled), violations: orphans, examples, signals: [...signals, all] },
  };
}

export function roundShare(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
