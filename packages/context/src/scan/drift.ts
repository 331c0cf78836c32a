import type { ColumnProfileFacts, DriftEntry, JoinFacts, KeyFacts } from "../facts/facts.ts";
import type { MeasuredFacts } from "../facts/facts-schemas.ts";
import { formatColumnId } from "../facts/identifiers.ts";

/** A table before and after. Its key may have changed even if the table has not. */
export interface TableChange {
  readonly id: string;
  readonly before?: (MeasuredFacts & { readonly key?: KeyFacts | undefined }) | undefined;
  readonly after?: (MeasuredFacts & { readonly key?: KeyFacts | undefined }) | undefined;
}

/** The minimum relative change of the number of rows that gets an entry. */
const worthRows = 0.1;

/** The minimum drop of a join's coverage that gets an entry. */
const worthCoverage = 0.01;

export function compareTables({ id, before, after }: TableChange): readonly DriftEntry[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [entry("table added", id, `${after?.columns.length ?? 0} columns`)];
  if (after === undefined) return [entry("table removed", id, `${before.columns.length} columns`)];
  const columns = compareColumns(before, after);
  // Another row filter shows other rows of the same table.
  if (before.filter !== after.filter) return columns;
  return [...columns, ...compareRows(before, after), ...compareKeys(id, before.key, after.key)];
}

export function compareJoins(before: readonly JoinFacts[], after: readonly JoinFacts[]): readonly DriftEntry[] {
  const old = new Map(before.map((join) => [join.id, join]));
  const now = new Map(after.map((join) => [join.id, join]));
  const accepted = (join: JoinFacts | undefined) => join?.status === "accepted";
  const entries: DriftEntry[] = [];
  for (const join of after) {
    const earlier = old.get(join.id);
    if (accepted(join) && !accepted(earlier)) entries.push(entry("join added", join.id, describeJoin(join)));
    const lost = (earlier?.evidence?.coverage ?? 0) - (join.evidence?.coverage ?? 1);
    if (accepted(join) && accepted(earlier) && lost >= worthCoverage) {
      const detail = `${describeJoin(join)}: ${percent(earlier?.evidence?.coverage)} of the rows had a parent, now ${percent(join.evidence?.coverage)}`;
      entries.push(entry("join weaker", join.id, detail));
    }
  }
  for (const join of before) {
    if (accepted(join) && !accepted(now.get(join.id))) entries.push(entry("join removed", join.id, describeJoin(join)));
  }
  return entries;
}

function compareColumns(before: MeasuredFacts, after: MeasuredFacts): DriftEntry[] {
  const old = new Map(before.columns.map((column) => [column.name, column]));
  const now = new Map(after.columns.map((column) => [column.name, column]));
  const id = ({ name }: ColumnProfileFacts) => formatColumnId({ ...after, column: name });
  const entries: DriftEntry[] = [];
  for (const column of after.columns) {
    const earlier = old.get(column.name);
    if (earlier === undefined) entries.push(entry("column added", id(column), column.nativeType));
    else if (earlier.nativeType !== column.nativeType)
      entries.push(entry("type changed", id(column), `${earlier.nativeType} became ${column.nativeType}`));
  }
  for (const column of before.columns) {
    if (!now.has(column.name)) entries.push(entry("column removed", id(column), column.nativeType));
  }
  return entries;
}

function compareRows(before: MeasuredFacts, after: MeasuredFacts): DriftEntry[] {
  const [old, now] = [before.rows, after.rows];
  if (old === undefined || now === undefined || old === now) return [];
  if (Math.abs(now - old) < worthRows * Math.max(old, now)) return [];
  return [entry("rows changed", after.id, `${old} became ${now}`)];
}

function compareKeys(id: string, before: KeyFacts | undefined, after: KeyFacts | undefined): DriftEntry[] {
  const name = (key: KeyFacts | undefined) => key?.columns.join(", ") ?? "none";
  return name(before) === name(after) ? [] : [entry("key changed", id, `${name(before)} became ${name(after)}`)];
}

function describeJoin({ from, to }: JoinFacts): string {
  return `${from.table} (${from.columns.join(", ")}) → ${to.table} (${to.columns.join(", ")})`;
}

function percent(share: number | undefined): string {
  return share === undefined ? "an unknown share" : `${Math.round(share * 1000) / 10} %`;
}

function entry(kind: DriftEntry["kind"], subject: string, detail: string): DriftEntry {
  return { kind, subject, detail };
}
