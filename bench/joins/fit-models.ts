import type { Features } from "../../packages/context/src/joins/features.ts";
import { correctFewRows } from "../../packages/context/src/joins/keys/few-rows.ts";
import type { KeyCandidate } from "../../packages/context/src/joins/keys/key-candidates.ts";
import { describeLinks } from "../../packages/context/src/joins/links/link-features.ts";
import type { LinkCandidate } from "../../packages/context/src/joins/links/link-list.ts";
import type { Estimates } from "../../packages/context/src/joins/scores/estimates.ts";
import type { JoinCandidates } from "../../packages/context/src/joins/scores/join-candidates.ts";
import type { JoinModels, LogisticModel } from "../../packages/context/src/joins/scores/models.ts";
import { applyModel, chooseByModel, describeKeys } from "../../packages/context/src/joins/scores/score-candidates.ts";
import { countArrivals, withKeys, withLinks } from "../../packages/context/src/joins/scores/update-estimates.ts";
import { type Gold, labelKey, labelLink, type OriginalNames } from "./gold.ts";
import { type Choice, fitChoices, fitLogistic, type Sample } from "./logistic.ts";

/** A data set with the candidates that were found in it. */
export interface Labelled {
  /** Data sets of one family are judged with models that were fitted on none of them. */
  readonly family: string;
  readonly gold: Gold;
  readonly candidates: JoinCandidates;
  /** The candidates that were found under meaningless names. */
  readonly unnamed: JoinCandidates;
  readonly names: OriginalNames;
}

const rounds = 2;
const unchanged = { scale: 1, shift: 0 };
const uncalibrated = { keys: unchanged, links: unchanged };

const noEstimates: Estimates = { columns: new Map() };

/**
 * How strongly weights are drawn to zero. The weights of keys are drawn more strongly than those of links, because a schema has fewer keys.
 */
const penalties = { keys: 1e-2, links: 6e-3 };

/** Fits models on the data sets after hiding their names. */
export function fitUnnamed(sets: readonly Labelled[], start?: JoinModels): JoinModels {
  return fitModels(
    sets.map((set) => ({ ...set, candidates: set.unnamed })),
    start,
  );
}

/**
 * Fits the models of each round on the results of earlier rounds in the same data sets. The results in a data set come from a model that
 * was fitted on the other half of the families, because results from a model that has seen the answers would seem more reliable than they
 * are.
 */
export function fitModels(sets: readonly Labelled[], start?: JoinModels): JoinModels {
  let estimates: readonly Estimates[] = sets.map(({ candidates }) => countArrivals(candidates));
  const fitted: { keys: LogisticModel; links: LogisticModel }[] = [];
  const halves = halveFamilies(sets);
  for (let round = 0; round < rounds; round++) {
    const keyed = sets.map(({ candidates }, at) => describeKeys(candidates, estimates[at] ?? noEstimates));
    const keys = fitHalves(halves, start?.rounds[round]?.keys, (part, first) => fitKeys(sets, keyed, part, first));
    estimates = sets.map(({ candidates }, at) => {
      const scores = chooseByModel(keys.without(at), keyed[at] ?? new Map<KeyCandidate, Features>());
      return withKeys(estimates[at] ?? noEstimates, correctFewRows(scores, candidates.schema), candidates.schema);
    });
    const linked = sets.map(
      ({ candidates }, at) => new Map(describeLinks(candidates.links, candidates.schema, estimates[at] ?? noEstimates)),
    );
    const links = fitHalves(halves, start?.rounds[round]?.links, (part, first) => fitLinks(sets, linked, part, first));
    estimates = sets.map(({ candidates }, at) =>
      withLinks(estimates[at] ?? noEstimates, candidates, applyModel(links.without(at), linked[at] ?? [])),
    );
    fitted.push({ keys: keys.whole, links: links.whole });
  }
  const keyed = sets.map(({ candidates }, at) => describeKeys(candidates, estimates[at] ?? noEstimates));
  return {
    rounds: fitted,
    keys: fitKeys(sets, keyed, () => true, start?.keys),
    composites: {},
    calibration: uncalibrated,
  };
}

/** Returns, for each data set, the half that its family belongs to. */
function halveFamilies(sets: readonly Labelled[]): readonly number[] {
  const families = [...new Set(sets.map(({ family }) => family))];
  return sets.map(({ family }) => families.indexOf(family) % 2);
}

/** Whether a model is fitted on the data set with this index. */
type Part = (at: number) => boolean;

/** Fits a model on all data sets, and for each data set a model on the other half of the families. */
function fitHalves(
  halves: readonly number[],
  start: LogisticModel | undefined,
  fitPart: (part: Part, start: LogisticModel | undefined) => LogisticModel,
): { readonly whole: LogisticModel; without(at: number): LogisticModel } {
  const whole = fitPart(() => true, start);
  const others = [0, 1].map((half) => fitPart((at) => halves[at] !== half, whole));
  return { whole, without: (at) => others[halves[at] ?? 0] ?? whole };
}

/** Fits the model of keys. A table has at most one key. */
function fitKeys(
  sets: readonly Labelled[],
  described: readonly ReadonlyMap<KeyCandidate, Features>[],
  part: Part,
  start: LogisticModel | undefined,
): LogisticModel {
  const choices = sets.flatMap(({ gold, names }, at): Choice[] => {
    if (!part(at)) return [];
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

/** Fits the model of links. Large data sets would dominate, so a candidate counts less the more candidates its data set has. */
function fitLinks(
  sets: readonly Labelled[],
  described: readonly ReadonlyMap<LinkCandidate, Features>[],
  part: Part,
  start: LogisticModel | undefined,
): LogisticModel {
  const samples = sets.flatMap(({ gold, names }, at): Sample[] => {
    if (!part(at)) return [];
    const own = [...(described[at] ?? [])].flatMap(([candidate, features]) => {
      const right = labelLink(candidate, gold, names);
      return right === undefined ? [] : [{ features, right }];
    });
    return own.map((sample) => ({ ...sample, weight: 1 / Math.sqrt(own.length) }));
  });
  return fitLogistic(samples, penalties.links, start);
}
