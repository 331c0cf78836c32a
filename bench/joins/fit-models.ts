import type { Estimates, Features } from "../../packages/context/src/joins/estimates.ts";
import { correctFewRows } from "../../packages/context/src/joins/few-rows.ts";
import type { KeyCandidate } from "../../packages/context/src/joins/key-candidates.ts";
import { describeLinks } from "../../packages/context/src/joins/links/link-features.ts";
import {
  applyModel,
  chooseByModel,
  countArrivals,
  describeKeys,
  type JoinCandidates,
  type JoinModels,
  type LogisticModel,
  withKeys,
  withLinks,
} from "../../packages/context/src/joins/score-candidates.ts";
import { type Gold, type Label, labelKey, labelLink, type OriginalNames } from "./gold.ts";
import { type Choice, fitChoices, fitLogistic, type Sample } from "./logistic.ts";

/** A data set with the candidates that were found in it. */
export interface Labelled {
  readonly gold: Gold;
  readonly candidates: JoinCandidates;
  /** The same with names that say nothing. */
  readonly unnamed: JoinCandidates;
  readonly names: OriginalNames;
}

const rounds = 2;

/** A schema has fewer keys than links, so their weights are drawn to zero more. */
const penalties = { keys: 1e-2, links: 6e-3 };

/** Fits on the data sets with names that say nothing. */
export function fitUnnamed(sets: readonly Labelled[], start?: JoinModels): JoinModels {
  return fitModels(
    sets.map((set) => ({ ...set, candidates: set.unnamed })),
    start,
  );
}

/** Fits the models of each round on what the rounds before found in the same data sets. */
export function fitModels(sets: readonly Labelled[], start?: JoinModels): JoinModels {
  let estimates: readonly Estimates[] = sets.map(({ candidates }) => countArrivals(candidates));
  const fitted: { keys: LogisticModel; links: LogisticModel }[] = [];
  for (let round = 0; round < rounds; round++) {
    const keyed = sets.map(({ candidates }, at) => describeKeys(candidates, estimates[at] ?? new Map()));
    const keys = fitKeys(sets, keyed, start?.rounds[round]?.keys);
    estimates = sets.map(({ candidates }, at) => {
      const scores = chooseByModel(keys, keyed[at] ?? new Map<KeyCandidate, Features>());
      return withKeys(estimates[at] ?? new Map(), correctFewRows(scores, candidates.schema));
    });
    const linked = sets.map(
      ({ candidates }, at) => new Map(describeLinks(candidates.links, candidates.schema, estimates[at] ?? new Map())),
    );
    const links = fitOn(sets, linked, labelLink, start?.rounds[round]?.links);
    estimates = linked.map((described, at) => withLinks(estimates[at] ?? new Map(), applyModel(links, described)));
    fitted.push({ keys, links });
  }
  const keyed = sets.map(({ candidates }, at) => describeKeys(candidates, estimates[at] ?? new Map()));
  return { rounds: fitted, keys: fitKeys(sets, keyed, start?.keys) };
}

/** A table has at most one key. */
function fitKeys(
  sets: readonly Labelled[],
  described: readonly ReadonlyMap<KeyCandidate, Features>[],
  start: LogisticModel | undefined,
): LogisticModel {
  const choices = sets.flatMap(({ gold, names }, at): Choice[] => {
    const tables = [...Map.groupBy(described[at] ?? [], ([{ table }]) => table).values()];
    const own = tables.flatMap((keys) => {
      const options = keys.flatMap(([key, features]) => {
        const right = labelKey(key, gold, names);
        return right === undefined ? [] : [{ features, right }];
      });
      return options.length === 0 ? [] : [options];
    });
    return own.map((options) => ({ options, weight: 1 / Math.sqrt(own.length) }));
  });
  return fitChoices(choices, penalties.keys, start);
}

/** Large data sets would decide alone, so each candidate counts less the more there are in its data set. */
function fitOn<T>(
  sets: readonly Labelled[],
  described: readonly ReadonlyMap<T, Features>[],
  label: (candidate: T, gold: Gold, names: OriginalNames) => Label,
  start: LogisticModel | undefined,
): LogisticModel {
  const samples = sets.flatMap(({ gold, names }, at): Sample[] => {
    const own = [...(described[at] ?? [])].flatMap(([candidate, features]) => {
      const right = label(candidate, gold, names);
      return right === undefined ? [] : [{ features, right }];
    });
    return own.map((sample) => ({ ...sample, weight: 1 / Math.sqrt(own.length) }));
  });
  return fitLogistic(samples, penalties.links, start);
}
