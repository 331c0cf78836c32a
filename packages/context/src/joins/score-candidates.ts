import { type Estimate, type Estimates, estimateOf, type Features } from "./estimates.ts";
import { correctFewRows } from "./few-rows.ts";
import type { KeyCandidate } from "./key-candidates.ts";
import { describeKey } from "./key-features.ts";
import type { LinkCandidate } from "./link-candidates.ts";
import { describeLinks } from "./link-features.ts";
import type { ColumnFacts, SchemaFacts } from "./schema-facts.ts";

/** A logistic model: a weight for each feature. */
export type LogisticModel = Readonly<Record<string, number>>;

/** Fitted models for schemas whose names say something, and for those whose names do not. */
export interface JoinModelSets {
  readonly named: JoinModels;
  readonly unnamed: JoinModels;
}

/** Keys help to find links, and links to find keys, so that both are scored in turns. */
export interface JoinModels {
  readonly rounds: readonly { readonly keys: LogisticModel; readonly links: LogisticModel }[];
  readonly keys: LogisticModel;
}

/** Everything in a schema that may be a key or a link. */
export interface JoinCandidates {
  readonly schema: SchemaFacts;
  readonly keys: readonly KeyCandidate[];
  readonly links: readonly LinkCandidate[];
}

/** Whether so few columns share a word with another table that names are taken to say nothing. */
export function hasFewNames({ named }: SchemaFacts): boolean {
  return named < 0.25;
}

export interface JoinScores {
  readonly keys: ReadonlyMap<KeyCandidate, number>;
  readonly links: ReadonlyMap<LinkCandidate, number>;
}

export function scoreCandidates(candidates: JoinCandidates, sets: JoinModelSets): JoinScores {
  const models = hasFewNames(candidates.schema) ? sets.unnamed : sets.named;
  let estimates = countArrivals(candidates);
  let links: ReadonlyMap<LinkCandidate, number> = new Map();
  for (const round of models.rounds) {
    estimates = withKeys(estimates, scoreKeys(round.keys, candidates, estimates));
    links = applyModel(round.links, describeLinks(candidates.links, candidates.schema, estimates));
    estimates = withLinks(estimates, links);
  }
  return { keys: scoreKeys(models.keys, candidates, estimates), links };
}

function scoreKeys(model: LogisticModel, candidates: JoinCandidates, estimates: Estimates): JoinScores["keys"] {
  return correctFewRows(chooseByModel(model, describeKeys(candidates, estimates)), candidates.schema);
}

export function describeKeys(candidates: JoinCandidates, estimates: Estimates): ReadonlyMap<KeyCandidate, Features> {
  const byTable = Map.groupBy(candidates.keys, ({ table }) => table);
  return new Map(
    candidates.keys.map((key) => [key, describeKey(key, byTable.get(key.table) ?? [], candidates.schema, estimates)]),
  );
}

export function applyModel<T>(
  model: LogisticModel,
  described: Iterable<readonly [T, Features]>,
): ReadonlyMap<T, number> {
  const scores = new Map<T, number>();
  for (const [candidate, features] of described) scores.set(candidate, probabilityOf(model, features));
  return scores;
}

/** How probably each candidate is the key of its table. A table has at most one. */
export function chooseByModel(
  model: LogisticModel,
  described: ReadonlyMap<KeyCandidate, Features>,
): ReadonlyMap<KeyCandidate, number> {
  const scores = new Map<KeyCandidate, number>();
  for (const own of Map.groupBy(described, ([{ table }]) => table).values()) {
    const sums = own.map(([, features]) => weigh(model, features));
    const most = Math.max(0, ...sums);
    const whole = sums.reduce((sum, each) => sum + Math.exp(each - most), Math.exp(-most));
    for (const [at, [key]] of own.entries()) scores.set(key, Math.exp((sums[at] ?? 0) - most) / whole);
  }
  return scores;
}

/** What is known before anything is scored. */
export function countArrivals({ links }: JoinCandidates): Estimates {
  const counts = new Map<ColumnFacts, number>();
  for (const { child, parent } of links) {
    if (child.table !== parent.table) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  return new Map([...counts].map(([column, arrivals]) => [column, { key: 0, links: 0, linked: 0, arrivals }]));
}

/** Remembers for each column how probably it is the only column of its table's key. */
export function withKeys(estimates: Estimates, scores: ReadonlyMap<KeyCandidate, number>): Estimates {
  const changed = new Map<ColumnFacts, Estimate>(estimates);
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
  return changed;
}

/** Remembers for each column how probably it links to another, and another to it. */
export function withLinks(estimates: Estimates, scores: ReadonlyMap<LinkCandidate, number>): Estimates {
  const changed = new Map<ColumnFacts, Estimate>();
  for (const [column, estimate] of estimates) changed.set(column, { ...estimate, links: 0, linked: 0 });
  for (const [{ child, parent }, score] of scores) {
    const from = estimateOf(changed, child);
    changed.set(child, { ...from, links: Math.max(from.links, score) });
    const to = estimateOf(changed, parent);
    changed.set(parent, { ...to, linked: Math.max(to.linked, score) });
  }
  return changed;
}

function probabilityOf(model: LogisticModel, features: Features): number {
  return 1 / (1 + Math.exp(-weigh(model, features)));
}

function weigh(model: LogisticModel, features: Features): number {
  let sum = 0;
  for (const name in features) sum += (features[name] ?? 0) * (model[name] ?? 0);
  return sum;
}
