import { findCompositeCandidates } from "../../packages/context/src/joins/find-joins.ts";
import { JoinSteps } from "../../packages/context/src/joins/join-steps.ts";
import type { JoinChecks } from "../../packages/context/src/joins/profile.ts";
import { hasFewNames } from "../../packages/context/src/joins/schema-facts.ts";
import type { JoinCandidates } from "../../packages/context/src/joins/scores/join-candidates.ts";
import { type Calibration, type JoinModelSets, oddsOf } from "../../packages/context/src/joins/scores/models.ts";
import { scoreCandidates } from "../../packages/context/src/joins/scores/score-candidates.ts";
import type { DataSet } from "./data-set.ts";
import { labelComposite, labelKey, labelLink } from "./gold.ts";
import { fitLogistic, type Sample } from "./logistic.ts";

/** What single-column models found in a data set that they have not seen. */
export interface HeldOut {
  readonly family: string;
  readonly named: HeldOutScores;
  readonly unnamed: HeldOutScores;
}

/** The scores of the best candidates, each as the feature `odds`, and candidates for links of several columns. */
interface HeldOutScores {
  readonly composites: readonly Sample[];
  readonly keys: readonly Sample[];
  readonly links: readonly Sample[];
}

export async function judgeHeldOut(set: DataSet, single: JoinModelSets): Promise<HeldOut> {
  const hasNames = !hasFewNames(set.candidates.schema);
  return {
    family: set.family,
    named: hasNames ? await judgeScores(set.candidates, set.database.checks, set, single) : nothing,
    unnamed: await judgeScores(set.unnamed, set.unnamedChecks, set, single),
  };
}

const nothing: HeldOutScores = { composites: [], keys: [], links: [] };

async function judgeScores(
  candidates: JoinCandidates,
  checks: JoinChecks,
  set: DataSet,
  models: JoinModelSets,
): Promise<HeldOutScores> {
  const { gold, names } = set;
  const { keys, links, linkScores } = await scoreCandidates(candidates, models, new JoinSteps());
  const best = [...Map.groupBy(keys, ([{ table }]) => table).values()].flatMap((own) =>
    own.toSorted(([, a], [, b]) => b - a).slice(0, 1),
  );
  const labelled = best.map(([key, score]) => ({ score, right: labelKey(key, gold, names) }));
  const chosen = links.children.map((places) => {
    const scored = links.of(places).map((link, at) => ({ link, score: linkScores[places.from + at] ?? 0 }));
    const { link, score } = scored.reduce((first, second) => (second.score > first.score ? second : first));
    return { score, right: labelLink(link, gold, names) };
  });
  const composites = await sampleComposites(candidates, checks, set, models);
  return { composites: weighted(composites), keys: sampleScores(labelled), links: sampleScores(chosen) };
}

function sampleScores(scores: readonly { readonly score: number; readonly right: 0 | 1 | undefined }[]) {
  return weighted(
    scores.flatMap(({ score, right }) => {
      if (right === undefined || score < 0.05) return [];
      return [{ features: { odds: oddsOf(score), always: 1 }, right }];
    }),
  );
}

/** Lists candidates for links of several columns. */
async function sampleComposites(
  candidates: JoinCandidates,
  checks: JoinChecks,
  { gold, names }: DataSet,
  models: JoinModelSets,
): Promise<readonly Omit<Sample, "weight">[]> {
  const found = await findCompositeCandidates(candidates, models, checks);
  return found.flatMap(({ features, ...link }) => {
    const right = labelComposite(link, gold, names);
    return right === undefined ? [] : [{ features, right }];
  });
}

function weighted(samples: readonly Omit<Sample, "weight">[]): readonly Sample[] {
  return samples.map((sample) => ({ ...sample, weight: 1 / Math.sqrt(samples.length) }));
}

export function fitCalibration(samples: readonly Sample[]): Calibration {
  if (samples.length < 20) return { scale: 1, shift: 0 };
  const { odds = 1, always = 0 } = fitLogistic(samples, 1e-4);
  return { scale: odds, shift: always };
}
