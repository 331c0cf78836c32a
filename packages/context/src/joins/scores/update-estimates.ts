/** Collects what each round of scores shows about columns, for the next round. */
import type { KeyCandidate } from "../keys/key-candidates.ts";
import { KeyNames } from "../keys/key-names.ts";
import { Conventions } from "../links/conventions.ts";
import { type ColumnFacts, hasFewNames, type SchemaFacts } from "../schema-facts.ts";
import { type Estimate, type Estimates, estimateOf } from "./estimates.ts";
import type { JoinCandidates } from "./join-candidates.ts";

/** Returns the estimates before anything is scored. */
export function countArrivals({ links }: JoinCandidates): Estimates {
  const counts = new Map<ColumnFacts, number>();
  for (const { child, from, to } of links.children) {
    for (let place = from; place < to; place++) {
      const parent = links.parentAt(place);
      if (child.table !== parent.table) counts.set(parent, (counts.get(parent) ?? 0) + 1);
    }
  }
  return {
    columns: new Map([...counts].map(([column, arrivals]) => [column, { key: 0, links: 0, linked: 0, arrivals }])),
  };
}

/** Stores for each column the probability that it is the only column of its table's key. */
export function withKeys(
  estimates: Estimates,
  scores: ReadonlyMap<KeyCandidate, number>,
  schema: SchemaFacts,
): Estimates {
  const changed = new Map<ColumnFacts, Estimate>(estimates.columns);
  for (const own of Map.groupBy(scores, ([{ table }]) => table).values()) {
    const total = Math.max(
      1,
      own.reduce((sum, [, score]) => sum + score, 0),
    );
    for (const [{ columns }, score] of own) {
      const [column] = columns;
      if (columns.length > 1 || column === undefined) continue;
      changed.set(column, { ...estimateOf(estimates, column), key: score / total });
    }
  }
  return { ...estimates, columns: changed, keyNames: new KeyNames(scores, !hasFewNames(schema)) };
}

/** Stores for each column the probability that it links to another column, and that another column links to it. */
export function withLinks(
  estimates: Estimates,
  { links: list, schema }: Pick<JoinCandidates, "links" | "schema">,
  scores: Float64Array,
): Estimates {
  const links = new Map<ColumnFacts, number>();
  const linked = new Map<ColumnFacts, number>();
  for (const { child, from, to } of list.children) {
    for (let place = from; place < to; place++) {
      const [parent, score] = [list.parentAt(place), scores[place] ?? 0];
      links.set(child, Math.max(links.get(child) ?? 0, score));
      linked.set(parent, Math.max(linked.get(parent) ?? 0, score));
    }
  }
  const columns = new Set([...estimates.columns.keys(), ...links.keys(), ...linked.keys()]);
  const scoreAt = (place: number) => scores[place] ?? 0;
  return {
    columns: new Map(
      Array.from(columns, (column): [ColumnFacts, Estimate] => [
        column,
        { ...estimateOf(estimates, column), links: links.get(column) ?? 0, linked: linked.get(column) ?? 0 },
      ]),
    ),
    keyNames: estimates.keyNames,
    conventions: new Conventions(list, scoreAt, !hasFewNames(schema)),
    scoreAt,
  };
}
