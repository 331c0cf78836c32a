import { formatTableId } from "../../facts/identifiers.ts";
import { type JoinDecision, joinKey } from "../../files/table-notes.ts";
import type { TableUsage, UsageCount } from "../../history/query-history.ts";
import type { KnownJoin, KnownTable } from "../../knowledge/known.ts";

/** A statement with fewer runs may be an experiment. */
const minRuns = 2;

export interface UsedJoinsOptions {
  readonly tables: readonly KnownTable[];
  readonly usage: ReadonlyMap<string, TableUsage>;
  /** The joins that are already in use. */
  readonly accepted: readonly KnownJoin[];
  readonly decisions: readonly JoinDecision[];
}

/** A join that statements use, in the form of the scan. The data determine its relationship. */
export type StatementJoin = Pick<KnownJoin, "from" | "to" | "relationship">;

/** Finds joins in statements that lead to a known key and that the scan has not accepted. Leaves out joins that a user rejected. */
export function findUsedJoins({ tables, usage, accepted, decisions }: UsedJoinsOptions): readonly StatementJoin[] {
  const known = new Set([...accepted, ...decisions.filter(({ status }) => status === "rejected")].flatMap(keysOf));
  const found = [...usage].flatMap(([id, { joins }]) =>
    joins.flatMap((join) => {
      const from = tables.find((table) => table.id === id);
      const to = tables.find((table) => table.id === formatTableId({ connection: from?.connection ?? "", ...join.to }));
      return from && to && join.runs >= minRuns ? (towardsKey(from, join.columns, to, join.toColumns) ?? []) : [];
    }),
  );
  return found.filter((join, at) => {
    const [key] = keysOf(join);
    return !known.has(key ?? "") && found.findIndex((other) => keysOf(other)[0] === key) === at;
  });
}

/** Counts how often statements use a join, in either order of its tables. */
export function countUsedJoin(
  { from, to }: Pick<StatementJoin, "from" | "to">,
  usage: ReadonlyMap<string, TableUsage>,
  connection: string,
): UsageCount | undefined {
  const counts = [...usage].flatMap(([id, { joins }]) =>
    joins.flatMap((join) => {
      const other = formatTableId({ connection, ...join.to });
      const ends = { from: { table: id, columns: join.columns }, to: { table: other, columns: join.toColumns } };
      return keysOf(ends).includes(joinKey({ from, to })) ? [join] : [];
    }),
  );
  if (counts.length === 0) return undefined;
  const sum = (key: keyof UsageCount) => counts.reduce((total, each) => total + each[key], 0);
  return { statements: sum("statements"), runs: sum("runs") };
}

/** Returns keys that are equal for a join in both directions. */
function keysOf({ from, to }: Pick<StatementJoin, "from" | "to">): readonly string[] {
  return [joinKey({ from, to }), joinKey({ from: to, to: from })].toSorted();
}

function towardsKey(
  near: KnownTable,
  columns: readonly string[],
  far: KnownTable,
  farColumns: readonly string[],
): StatementJoin | undefined {
  const [start, end] = [
    { table: near.id, columns },
    { table: far.id, columns: farColumns },
  ];
  if (isKey(farColumns, far))
    return { from: start, to: end, relationship: isKey(columns, near) ? "one-to-one" : "many-to-one" };
  return isKey(columns, near) ? { from: end, to: start, relationship: "many-to-one" } : undefined;
}

function isKey(columns: readonly string[], { key }: KnownTable): boolean {
  return (
    key !== undefined && key.columns.length === columns.length && key.columns.every((each) => columns.includes(each))
  );
}
