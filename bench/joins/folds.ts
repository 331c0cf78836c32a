import type { JoinModelSets, JoinModels } from "../../packages/context/src/joins/scores/models.ts";
import { fitCalibration, type HeldOut, judgeHeldOut } from "./held-out.ts";
import { fitLogistic } from "./logistic.ts";
import type { Training } from "./training.ts";

/** Models that were fitted without some families, to judge these families. */
interface Fold {
  readonly families: ReadonlySet<string>;
  readonly models: JoinModelSets;
}

export interface FittedFolds {
  readonly folds: readonly Fold[];
  /** The models that were fitted on everything. */
  readonly whole: JoinModelSets;
}

const compositePenalty = 1e-2;

/** Fits models that leave each family out once, several families at a time. */
export async function fitFolds(training: Training, count: number): Promise<FittedFolds> {
  const families = [...new Set(training.originals.map(({ family }) => family))];
  const parts = Array.from({ length: Math.min(count, families.length) }, (_, at) => {
    return new Set(families.filter((_family, index) => index % Math.min(count, families.length) === at));
  });
  const start = fitSingle(training, () => true);
  const fitted: { readonly families: ReadonlySet<string>; readonly single: JoinModelSets }[] = [];
  const held: HeldOut[] = [];
  for (const own of parts) {
    const single = fitSingle(training, (family) => !own.has(family), start);
    fitted.push({ families: own, single });
    for (const set of training.originals) if (own.has(set.family)) held.push(await judgeHeldOut(set, single));
  }
  const folds = fitted.map(({ families: own, single }) => ({
    families: own,
    models: completeModels(
      single,
      held.filter(({ family }) => !own.has(family)),
    ),
  }));
  return { folds, whole: completeModels(start, held) };
}

/** Adds the parts that are fitted on the results of models in data sets that these models have not seen. */
function completeModels({ named, unnamed }: JoinModelSets, held: readonly HeldOut[]): JoinModelSets {
  const calibrated = (models: JoinModels, kind: "named" | "unnamed") => ({
    ...models,
    composites: fitLogistic(
      held.flatMap((set) => set[kind].composites),
      compositePenalty,
    ),
    calibration: {
      keys: fitCalibration(held.flatMap((set) => set[kind].keys)),
      links: fitCalibration(held.flatMap((set) => set[kind].links)),
    },
  });
  return {
    named: calibrated(named, "named"),
    unnamed: calibrated(unnamed, "unnamed"),
  };
}

function fitSingle(
  training: Training,
  isIncluded: (family: string) => boolean,
  start?: { readonly named: JoinModels; readonly unnamed: JoinModels },
): JoinModelSets {
  return {
    named: training.fitNamed(isIncluded, start?.named),
    unnamed: training.fitUnnamed(isIncluded, start?.unnamed),
  };
}
