import type { MetricFacts } from "@bridle/protocol";

/** A turn with these facts and defaults for all others. */
export function turnFacts(facts: Partial<MetricFacts> = {}): MetricFacts {
  return { input: "Why?", answer: "Because.", retrievalContext: [], calls: [], steps: 1, durationMs: 10, ...facts };
}

/** `ground_truth` of a case as facts. */
export function groundTruthFactsOf(given: string | readonly string[] = []): Partial<MetricFacts> {
  const [groundTruth, ...otherGroundTruths] = [given].flat();
  return groundTruth === undefined ? {} : { groundTruth, otherGroundTruths };
}
