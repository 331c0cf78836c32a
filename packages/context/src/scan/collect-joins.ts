/**
 * Collects the joins from all origins, one for each pair of ends: a user's decision has priority, then the database's declaration, then the
 * evidence in the data.
 */
import type { JoinFacts, KeyFacts } from "../facts/facts.ts";
import { formatTableId } from "../facts/identifiers.ts";
import { isUniqueEnd, relationshipOf } from "../facts/relationship-of.ts";
import type { JoinDecision } from "../files/table-notes.ts";
import type { FoundJoins, FoundKey } from "../joins/find-joins.ts";
import type { FoundLink } from "../joins/report-links.ts";
import { describeCounts, hasEnds, joinOf, roundShare } from "./join-ends.ts";
import { judgeKept } from "./judge-kept.ts";
import { judgeProposals } from "./judge-proposals.ts";
import type { JoinProposal } from "./scan-options.ts";
import type { ScannedTable, WarehouseChecks } from "./warehouse-checks.ts";

export interface JoinSources {
  readonly found: FoundJoins;
  readonly decisions: readonly JoinDecision[];
  readonly proposals: readonly JoinProposal[];
  /** Finds links that apply only to some rows, for columns without another link. */
  readonly conditional: (known: readonly JoinFacts[]) => Promise<readonly JoinFacts[]>;
}

export async function collectJoins(
  connection: string,
  tables: ReadonlyMap<string, ScannedTable>,
  { found, decisions, proposals, conditional }: JoinSources,
  checks: WarehouseChecks,
): Promise<readonly JoinFacts[]> {
  const joins = new Map<string, JoinFacts>();
  const declared = await checkDeclared(connection, tables, checks);
  for (const join of declared) joins.set(join.id, join);
  for (const link of found.links) {
    const join = toJoin(link, tables);
    if (!joins.has(join.id)) joins.set(join.id, withDeclared(join, declared));
  }
  for (const join of await conditional([...joins.values()])) setConditional(joins, join);
  for (const { join } of await judgeProposals(proposals, tables, joins, checks)) if (join) joins.set(join.id, join);
  for (const decision of decisions) await decide(decision, tables, joins, checks);
  const measured: JoinFacts[] = [];
  for (const join of joins.values()) measured.push(await withUniqueness(join, checks));
  return measured.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Sets the relationship from the data, whatever the origin of the join. */
async function withUniqueness(join: JoinFacts, checks: WarehouseChecks): Promise<JoinFacts> {
  if (join.status === "rejected") return join;
  const [from, to] = [await checks.countEnd(join.from, false), await checks.countEnd(join.to, true)];
  if (from === undefined && to === undefined) return { ...join, relationship: "unknown" };
  const uniqueness = { ...(from && { from }), ...(to && { to }) };
  return { ...join, relationship: relationshipOf(uniqueness), uniqueness };
}

/**
 * Adds a link that applies only to some rows. It replaces the join of the same columns without the condition, unless that join is accepted.
 */
function setConditional(joins: Map<string, JoinFacts>, join: JoinFacts): void {
  if (joins.get(join.id)?.status !== "accepted") joins.set(join.id, join);
}

/** Returns the declared key of a table, or the one that was found if all rows were counted and no row repeats another. */
export async function keyOfTable(
  { structure, id }: ScannedTable,
  key: FoundKey | undefined,
  checks: WarehouseChecks,
): Promise<KeyFacts | undefined> {
  if (structure.primaryKey.length > 0) return { columns: structure.primaryKey, declared: true, score: 1 };
  if (key === undefined) return undefined;
  const counts = await checks.countEnd({ table: id, columns: key.columns }, true);
  if (isUniqueEnd(counts) !== true) return undefined;
  return { columns: key.columns, declared: false, score: roundShare(key.score) };
}

async function checkDeclared(
  connection: string,
  tables: ReadonlyMap<string, ScannedTable>,
  checks: WarehouseChecks,
): Promise<readonly JoinFacts[]> {
  const joins: JoinFacts[] = [];
  for (const table of tables.values()) {
    for (const { columns, references } of table.structure.foreignKeys) {
      const from = { table: table.id, columns };
      const to = { table: formatTableId({ connection, ...references }), columns: references.columns };
      if (!tables.has(to.table) || columns.length !== references.columns.length) continue;
      const counts = await checks.countOrphans(from, to);
      joins.push({
        ...joinOf(from, to, tables),
        origin: "declared",
        status: "accepted",
        score: 1,
        ...describeCounts(counts, ["declared"]),
      });
    }
  }
  return joins;
}

function toJoin(
  { from, to, score, status, evidence: found }: FoundLink,
  tables: ReadonlyMap<string, ScannedTable>,
): JoinFacts {
  return {
    ...joinOf(from, to, tables),
    origin: "found",
    status,
    score: roundShare(score),
    evidence: { ...found, coverage: roundShare(found.coverage) },
  };
}

/** Marks a found join for review if its column has a declared target, because such a column should have no other target. */
function withDeclared(join: JoinFacts, declared: readonly JoinFacts[]): JoinFacts {
  const { from } = join;
  const other = declared.some(
    (each) => each.from.table === from.table && each.from.columns.join("\0") === from.columns.join("\0"),
  );
  return other && join.status === "accepted" ? { ...join, status: "review" } : join;
}

async function decide(
  decision: JoinDecision,
  tables: ReadonlyMap<string, ScannedTable>,
  joins: Map<string, JoinFacts>,
  checks: WarehouseChecks,
): Promise<void> {
  const { from, to, status, relationship, condition, source } = decision;
  if (!hasEnds(tables, from, to)) return;
  const join = joinOf(from, to, tables);
  if (status === "proposed" || (status === "accepted" && source === "model")) {
    const judged = await judgeKept(decision, tables, joins, checks);
    if (judged !== undefined) joins.set(join.id, judged);
    return;
  }
  const known = joins.get(join.id)?.evidence;
  const found = known === undefined ? describeCounts(await checks.countOrphans(from, to), []) : { evidence: known };
  joins.set(join.id, {
    ...join,
    origin: source === "person" ? "person" : "model",
    status,
    score: status === "accepted" ? 1 : 0,
    ...(relationship && { relationship }),
    ...(condition === undefined ? {} : { condition }),
    ...found,
  });
}
