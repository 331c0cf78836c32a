import type { MetricFacts } from "@bridle/protocol";
import type { TurnResult } from "../result/trial-result.ts";
import type { TurnConfig } from "./case-config.ts";

/** Returns the accepted answers of a turn; empty if it has no ground truth. */
export function groundTruthsIn({ ground_truth: given = [] }: Pick<TurnConfig, "ground_truth">): readonly string[] {
  return [given].flat();
}

/** Returns the accepted answers as facts for metrics. */
export function groundTruthFacts([first, ...others]: readonly string[]): Pick<
  MetricFacts,
  "groundTruth" | "otherGroundTruths"
> {
  if (first === undefined) return {};
  return { groundTruth: first, ...(others.length > 0 && { otherGroundTruths: others }) };
}

/** Returns the accepted answers in the form in which results store them. */
export function storedGroundTruths([first, ...others]: readonly string[]): Pick<
  TurnResult,
  "groundTruth" | "otherGroundTruths"
> {
  return { groundTruth: first ?? null, ...(others.length > 0 && { otherGroundTruths: others }) };
}

/** Returns the accepted answers of a stored turn. */
export function groundTruthsOfResult({ groundTruth, otherGroundTruths = [] }: TurnResult): readonly string[] {
  return groundTruth === null ? [] : [groundTruth, ...otherGroundTruths];
}
