import type { JoinFacts } from "../facts/facts.ts";
import { measuredRelationship } from "../facts/relationship-of.ts";
import { type JoinDecision, joinIdOf, joinKey } from "../files/table-notes.ts";
import type { KnowledgeSources, KnownJoin, KnownTable } from "./known.ts";

/** Combines the joins that the scan found with the decisions in files. */
export class KnownJoins {
  readonly #sources: KnowledgeSources;
  #version: string | undefined;
  #joins: readonly KnownJoin[] = [];
  #byTable: ReadonlyMap<string, readonly KnownJoin[]> = new Map();

  constructor(sources: KnowledgeSources) {
    this.#sources = sources;
  }

  /** Reads joins. `find` returns a table as the caller may see it. */
  read(table: string | undefined, find: (id: string) => KnownTable | undefined): readonly KnownJoin[] {
    this.#update();
    const candidates = table === undefined ? this.#joins : (this.#byTable.get(table) ?? []);
    const seen = new Map<string, KnownTable | undefined>();
    const cached = (id: string) => {
      if (!seen.has(id)) seen.set(id, find(id));
      return seen.get(id);
    };
    return candidates.flatMap((join) => {
      const [from, to] = [cached(join.from.table), cached(join.to.table)];
      if (from === undefined || to === undefined || !hasAll(from, join.from) || !hasAll(to, join.to)) return [];
      const isOld = from.hasOtherFilter === true || to.hasOtherFilter === true;
      const hidesValues = isOld || hasSensitive(from, join.from) || hasSensitive(to, join.to);
      return [hidesValues && join.evidence ? { ...join, evidence: { ...join.evidence, examples: [] } } : join];
    });
  }

  #update(): void {
    const { facts, files } = this.#sources;
    const version = `${facts.version()}/${files?.version()}`;
    if (version === this.#version) return;
    this.#joins = decide(facts.joins(), files?.read().joins ?? []);
    this.#byTable = groupByTable(this.#joins);
    this.#version = version;
  }
}

function groupByTable(joins: readonly KnownJoin[]): ReadonlyMap<string, readonly KnownJoin[]> {
  const groups = new Map<string, KnownJoin[]>();
  for (const join of joins) {
    for (const table of new Set([join.from.table, join.to.table])) {
      const group = groups.get(table);
      if (group) group.push(join);
      else groups.set(table, [join]);
    }
  }
  return groups;
}

/** Applies the decisions in files, which accept or reject joins that the scan found, and add others. */
function decide(found: readonly JoinFacts[], decisions: readonly JoinDecision[]): readonly KnownJoin[] {
  const byKey = new Map(decisions.map((decision) => [joinKey(decision), decision]));
  const known = found.flatMap((join) => {
    const decision = byKey.get(joinKey(join));
    byKey.delete(joinKey(join));
    if (decision?.status === "rejected" || join.status === "rejected") return [];
    const measured = { ...join, relationship: measuredRelationship(join, undefined) };
    return [decision ? withDecision(measured, decision) : measured];
  });
  const added = [...byKey.values()].filter(({ status }) => status !== "rejected").map(toJoin);
  return [...known, ...added];
}

function withDecision(join: JoinFacts, decision: JoinDecision): KnownJoin {
  const { status, source, relationship, condition, reason } = decision;
  if (status === "proposed") return { ...join, reason };
  if (source === "model" && join.origin === "model") return { ...join, reason }; // the scan has checked it against the data
  const origin = source === "model" ? "model" : "person";
  return {
    ...join,
    origin: join.origin === "declared" ? "declared" : origin,
    status: "accepted",
    score: 1,
    reason,
    relationship: measuredRelationship(join, relationship),
    condition: condition ?? join.condition,
  };
}

/** Returns a join that no scan has seen yet. */
function toJoin(decision: JoinDecision): KnownJoin {
  const { from, to, source, relationship = "unknown", condition, reason } = decision;
  const id = joinIdOf(from, to);
  const origin = source === "model" ? "model" : "person";
  const [status, score] = decision.status === "accepted" ? (["accepted", 1] as const) : (["review", 0.5] as const);
  return { id, from, to, origin, status, score, relationship, condition, reason };
}

function hasAll(table: KnownTable, { columns }: JoinFacts["from"]): boolean {
  return columns.every((column) => table.columns.some(({ name }) => name === column));
}

function hasSensitive(table: KnownTable, { columns }: JoinFacts["from"]): boolean {
  return table.columns.some(({ name, sensitive }) => sensitive !== undefined && columns.includes(name));
}
