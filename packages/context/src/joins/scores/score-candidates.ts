import type { Features } from "../features.ts";
import type { JoinSteps } from "../join-steps.ts";
import { correctFewRows } from "../keys/few-rows.ts";
import type { KeyCandidate } from "../keys/key-candidates.ts";
import { describeKey, describeKeyOfKind, prefixOf } from "../keys/key-features.ts";
import { describeLinksOf } from "../links/link-features.ts";
import type { LinkList } from "../links/link-list.ts";
import { RivalFeatures } from "../links/rival-features.ts";
import type { SchemaFacts } from "../schema-facts.ts";
import type { Estimates } from "./estimates.ts";
import type { JoinCandidates } from "./join-candidates.ts";
import { calibrate, type JoinModelSets, type LogisticModel, modelsFor, probabilityOf, weigh } from "./models.ts";
import { countArrivals, withKeys, withLinks } from "./update-estimates.ts";

export interface JoinScores {
  readonly keys: ReadonlyMap<KeyCandidate, number>;
  readonly links: LinkList;
  /** The score of each link, by the link's position in the list. */
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

/** Scores the keys. `tables` has the candidates of each table. */
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

/** Returns the scores of links that are described in the order of their list. */
export function applyModel(model: LogisticModel, described: Iterable<readonly [unknown, Features]>): Float64Array {
  return Float64Array.from(Array.from(described, ([, features]) => probabilityOf(weigh(model, features))));
}

/** Returns the probability of each candidate that it is its table's key. A table has at most one key. */
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

/** Yields these probabilities for the candidates of one table, given their weighted sums. */
function* chooseAmong(
  own: readonly KeyCandidate[],
  sums: readonly number[],
): Generator<readonly [KeyCandidate, number]> {
  const max = Math.max(0, ...sums);
  const whole = sums.reduce((sum, each) => sum + Math.exp(each - max), Math.exp(-max));
  for (const [at, key] of own.entries()) yield [key, Math.exp((sums[at] ?? 0) - max) / whole];
}

/** Returns the part of a model whose names begin with a prefix, without the prefix. */
function withoutPrefix(model: LogisticModel, prefix: string): LogisticModel {
  const own = Object.entries(model).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, weight]) => [name.slice(prefix.length), weight]));
}
