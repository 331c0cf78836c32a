import type { JsonValue, MetricFacts, MetricScore, MetricScorer } from "@bridle/protocol";
import { shorten } from "./excerpt.ts";
import { NoScoreError } from "./no-score-error.ts";
import type { Score } from "./score.ts";

/** The number of characters of a long text that reports show. The transcript contains the full text. */
const reportCharacters = 500;

/** Adds the expected text and the answer to a score. */
export function scoreAnswer({ answer }: Pick<MetricFacts, "answer">, score: Score, expected: string): MetricScore {
  return {
    ...score,
    expected: shorten(expected.trim(), reportCharacters),
    received: shorten(answer.trim(), reportCharacters),
  };
}

type GroundTruths = Pick<MetricFacts, "groundTruth" | "otherGroundTruths">;

/** Lists all accepted answers of the case; empty if it has none. */
export function groundTruthsOf({ groundTruth, otherGroundTruths = [] }: GroundTruths): readonly string[] {
  return groundTruth === undefined ? [] : [groundTruth, ...otherGroundTruths];
}

/** Lists all accepted answers. Throws NoScoreError if the case has none. */
export function requireGroundTruths(facts: GroundTruths): readonly string[] {
  const all = groundTruthsOf(facts);
  if (all.length > 0) return all;
  throw new NoScoreError("the case has no ground_truth. Write one, or remove the metric.");
}

/**
 * Makes a scorer that compares the answer with the ground truth. If there are several ground truths, the highest score counts. The scorer
 * throws NoScoreError if the case has none.
 */
export function compareWithGroundTruth(
  compare: (answer: string, reference: string) => Score | Promise<Score>,
): MetricScorer {
  return async (facts) => {
    const references = requireGroundTruths(facts);
    const scores = await Promise.all(references.map((reference) => compare(facts.answer, reference)));
    return bestOf(references.map((reference, index) => scoreAnswer(facts, scores[index] ?? { score: 0 }, reference)));
  };
}

/**
 * Wraps a comparison that ignores parts of a text. If nothing else is left of the reference, the answer must be the same text: otherwise
 * every answer that consists of articles and punctuation would equal `The`.
 */
export function unlessNothingIsLeft(
  tokens: (text: string) => readonly string[],
  compare: (answer: string, reference: string) => Score,
): (answer: string, reference: string) => Score {
  return (answer, reference) => {
    if (tokens(reference).length > 0) return compare(answer, reference);
    if (answer.trim() === reference.trim()) return { score: 1 };
    return { score: 0, reason: "no word is left of the ground truth, so the answer has to be the same text" };
  };
}

/** Finds the fault that a comparison ignores the whole ground truth. `why` describes the comparison. */
export function faultWithoutTokens(
  groundTruth: string,
  tokens: (text: string) => readonly string[],
  why: string,
): string | undefined {
  if (tokens(groundTruth).length > 0) return undefined;
  return `${why}, so nothing is left to compare. Write more of the expected answer, or use contains or regex.`;
}

/** Returns the first of the highest scores. */
export function bestOf(scores: readonly MetricScore[]): MetricScore {
  return scores.reduce((best, each) => (each.score > best.score ? each : best));
}

/** Returns the setting `value`, or all ground truths if it is not set. Throws NoScoreError if both are missing. */
export function expectedValues(value: JsonValue | undefined, facts: MetricFacts): readonly JsonValue[] {
  const expected = value === undefined ? groundTruthsOf(facts) : [value];
  if (expected.length > 0) return expected;
  throw new NoScoreError("there is neither value nor ground_truth. Write one of them, or remove the metric.");
}
