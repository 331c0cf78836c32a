import { findCompositeCandidates } from "../../packages/context/src/joins/find-joins.ts";
import type { JoinModelSets, JoinModels } from "../../packages/context/src/joins/score-candidates.ts";
import type { DataSet } from "./data-set.ts";
import { labelComposite } from "./gold.ts";
import { fitLogistic, type Sample } from "./logistic.ts";
import type { Training } from "./training.ts";

/** Models that were fitted without some families, to judge these. */
export interface Fold {
  readonly families: ReadonlySet<string>;
  readonly models: JoinModelSets;
}

export interface FittedFolds {
  readonly folds: readonly Fold[];
  /** Fitted on everything. */
  readonly whole: JoinModelSets;
}

const compositePenalty = 1e-2;

/** Few composite links are known, so that one model serves schemas with and without names that say something. */
type SingleModels = Pick<JoinModelSets, "named" | "unnamed">;

/** Leaves each family out once, several at a time. */
export async function fitFolds(training: Training, count: number): Promise<FittedFolds> {
  const families = [...new Set(training.originals.map(({ family }) => family))];
  const parts = Array.from({ length: Math.min(count, families.length) }, (_, at) => {
    return new Set(families.filter((_family, index) => index % Math.min(count, families.length) === at));
  });
  const start = fitSingle(training, () => true);
  const fitted: { readonly families: ReadonlySet<string>; readonly single: SingleModels }[] = [];
  const samples: (Sample & { readonly family: string })[] = [];
  for (const own of parts) {
    const single = fitSingle(training, (family) => !own.has(family), start);
    fitted.push({ families: own, single });
    for (const set of training.originals)
      if (own.has(set.family)) samples.push(...(await sampleComposites(set, single)));
  }
  const folds = fitted.map(({ families: own, single }) => {
    const others = samples.filter(({ family }) => !own.has(family));
    return { families: own, models: { ...single, composites: fitLogistic(others, compositePenalty) } };
  });
  return { folds, whole: { ...start, composites: fitLogistic(samples, compositePenalty) } };
}

function fitSingle(
  training: Training,
  isIncluded: (family: string) => boolean,
  start?: { readonly named: JoinModels; readonly unnamed: JoinModels },
): SingleModels {
  return {
    named: training.fitNamed(isIncluded, start?.named),
    unnamed: training.fitUnnamed(isIncluded, start?.unnamed),
  };
}

/** Candidates for links of several columns, found by models that have not seen the data set. */
async function sampleComposites(set: DataSet, single: SingleModels): Promise<readonly (Sample & { family: string })[]> {
  const models = { ...single, composites: {} };
  const found = [
    ...(await findCompositeCandidates(set.candidates, models, set.database.checks)),
    ...(await findCompositeCandidates(set.unnamed, models, set.unnamedChecks)),
  ];
  const own = found.flatMap(({ features, ...link }) => {
    const right = labelComposite(link, set.gold, set.names);
    return right === undefined ? [] : [{ features, right, family: set.family }];
  });
  return own.map((sample) => ({ ...sample, weight: 1 / Math.sqrt(own.length) }));
}
