import type { MetricFacts } from "@bridle/protocol";

/** Returns the facts of a turn: the given ones, and defaults for all others. */
export function turnFacts(facts: Partial<MetricFacts> = {}): MetricFacts {
  return { input: "Why?", answer: "Because.", retrievalContext: [], calls: [], steps: 1, durationMs: 10, ...facts };
}

/** Returns the facts for the `ground_truth` of a case. */
export function groundTruthFactsOf(given: string | readonly string[] = []): Partial<MetricFacts> {
  const [groundTruth, ...otherGroundTruths] = [given].flat();
  return groundTruth === undefined ? {} : { groundTruth, otherGroundTruths };
}
