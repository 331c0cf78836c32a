import { type Estimate, type Estimates, estimateOf } from "./estimates.ts";
import type { Features } from "./features.ts";
import type { JoinSteps } from "./join-steps.ts";
import { correctFewRows } from "./keys/few-rows.ts";
import type { KeyCandidate } from "./keys/key-candidates.ts";
import { describeKey, describeKeyOfKind, prefixOf } from "./keys/key-features.ts";
import { KeyNames } from "./keys/key-names.ts";
import { Conventions } from "./links/conventions.ts";
import { describeLinksOf } from "./links/link-features.ts";
import type { LinkList } from "./links/link-list.ts";
import { RivalFeatures } from "./links/rival-features.ts";
import { type ColumnFacts, hasFewNames, type SchemaFacts } from "./schema-facts.ts";

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
  /** For links of several columns, when those of single columns are known. */
  readonly composites: LogisticModel;
  /** What makes probabilities of the final scores, as models have them on data sets that they were not fitted on. */
  readonly calibration: { readonly keys: Calibration; readonly links: Calibration };
}

/** For the logarithm of the odds. */
export interface Calibration {
  readonly scale: number;
  readonly shift: number;
}

/** Everything in a schema that may be a key or a link. */
export interface JoinCandidates {
  readonly schema: SchemaFacts;
  readonly keys: readonly KeyCandidate[];
  readonly links: LinkList;
}

export function modelsFor(schema: SchemaFacts, { named, unnamed }: JoinModelSets): JoinModels {
  return hasFewNames(schema) ? unnamed : named;
}

/** How probable it is that a candidate with these features is right. */
export function scoreFeatures(model: LogisticModel, features: Features): number {
  return probabilityOf(weigh(model, features));
}

export interface JoinScores {
  readonly keys: ReadonlyMap<KeyCandidate, number>;
  readonly links: LinkList;
  /** By the place of the link in the list. */
  readonly linkScores: Float64Array;
}

export async function scoreCandidates(
  candidates: JoinCandidates,
  sets: JoinModelSets,
  steps: JoinSteps,
): Promise<JoinScores> {
  const { schema, links } = candidates;
  const models = modelsFor(schema, sets);
  const tables = [...Map.groupBy(candidates.keys, ({ table }) => table).values()];
  steps.begin("score", models.rounds.length * (tables.length + links.children.length) + tables.length);
  const linkScores = new Float64Array(links.length);
  let estimates = countArrivals(candidates);
  for (const round of models.rounds) {
    estimates = withKeys(estimates, await scoreKeys(round.keys, tables, schema, estimates, steps), schema);
    await steps.pause();
    await scoreLinks(round.links, candidates, estimates, linkScores, steps);
    estimates = withLinks(estimates, candidates, linkScores.slice());
    await steps.pause();
  }
  const { calibration } = models;
  const keys = await scoreKeys(models.keys, tables, schema, estimates, steps);
  return {
    keys: new Map([...keys].map(([key, score]) => [key, calibrate(score, calibration.keys)])),
    links,
    linkScores: linkScores.map((score) => calibrate(score, calibration.links)),
  };
}

function calibrate(score: number, { scale, shift }: Calibration): number {
  return probabilityOf(scale * oddsOf(score) + shift);
}

/** The logarithm of the odds. */
export function oddsOf(score: number): number {
  const within = Math.min(1 - 1e-9, Math.max(1e-9, score));
  return Math.log(within / (1 - within));
}

/** `tables` has the candidates of each table. */
async function scoreKeys(
  model: LogisticModel,
  tables: readonly (readonly KeyCandidate[])[],
  schema: SchemaFacts,
  estimates: Estimates,
  steps: JoinSteps,
): Promise<JoinScores["keys"]> {
  const scores = new Map<KeyCandidate, number>();
  const models = { "one.": withoutPrefix(model, "one."), "many.": withoutPrefix(model, "many.") };
  for (const own of tables) {
    const sums = own.map((key) => weigh(models[prefixOf(key)], describeKeyOfKind(key, own, schema, estimates)));
    for (const [key, score] of chooseAmong(own, sums)) scores.set(key, score);
    const pause = steps.next();
    if (pause !== undefined) await pause;
  }
  await steps.pause();
  return correctFewRows(scores, schema);
}

async function scoreLinks(
  model: LogisticModel,
  { links, schema }: JoinCandidates,
  estimates: Estimates,
  scores: Float64Array,
  steps: JoinSteps,
): Promise<void> {
  const rivals = new RivalFeatures(links, schema.columns.length);
  for (const places of links.children) {
    let place = places.from;
    for (const [, parts] of describeLinksOf(places, links, rivals, schema, estimates)) {
      let sum = 0;
      for (const part of parts) sum = weigh(model, part, sum);
      scores[place++] = probabilityOf(sum);
    }
    const pause = steps.next();
    if (pause !== undefined) await pause;
  }
}

export function describeKeys(candidates: JoinCandidates, estimates: Estimates): ReadonlyMap<KeyCandidate, Features> {
  const byTable = Map.groupBy(candidates.keys, ({ table }) => table);
  return new Map(
    candidates.keys.map((key) => [key, describeKey(key, byTable.get(key.table) ?? [], candidates.schema, estimates)]),
  );
}

/** The scores of links that are described in the order of their list. */
export function applyModel(model: LogisticModel, described: Iterable<readonly [unknown, Features]>): Float64Array {
  return Float64Array.from(Array.from(described, ([, features]) => probabilityOf(weigh(model, features))));
}

/** How probably each candidate is the key of its table. A table has at most one. */
export function chooseByModel(
  model: LogisticModel,
  described: ReadonlyMap<KeyCandidate, Features>,
): ReadonlyMap<KeyCandidate, number> {
  const tables = Map.groupBy(described, ([{ table }]) => table).values();
  return new Map(
    [...tables].flatMap((own) => [
      ...chooseAmong(
        own.map(([key]) => key),
        own.map(([, features]) => weigh(model, features)),
      ),
    ]),
  );
}

/** The same for the candidates of one table, whose weighted sums are given. */
function* chooseAmong(
  own: readonly KeyCandidate[],
  sums: readonly number[],
): Generator<readonly [KeyCandidate, number]> {
  const most = Math.max(0, ...sums);
  const whole = sums.reduce((sum, each) => sum + Math.exp(each - most), Math.exp(-most));
  for (const [at, key] of own.entries()) yield [key, Math.exp((sums[at] ?? 0) - most) / whole];
}

/** What is known before anything is scored. */
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

/** Remembers for each column how probably it is the only column of its table's key. */
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

/** Remembers for each column how probably it links to another, and another to it. */
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

function probabilityOf(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}

/** The part of a model whose names begin with a prefix, with names without it. */
function withoutPrefix(model: LogisticModel, prefix: string): LogisticModel {
  const own = Object.entries(model).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, weight]) => [name.slice(prefix.length), weight]));
}

/** Adds the weighted features to a sum. */
function weigh(model: LogisticModel, features: Features, start = 0): number {
  let sum = start;
  for (const name in features) sum += (features[name] ?? 0) * (model[name] ?? 0);
  return sum;
}
