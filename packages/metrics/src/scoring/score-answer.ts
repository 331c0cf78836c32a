import type { JsonValue, MetricFacts, MetricScore, MetricScorer } from "@bridle/protocol";
import { shorten } from "./excerpt.ts";
import { NoScoreError } from "./no-score-error.ts";
import type { Score } from "./score.ts";

/** Reports show this much of a long text. The transcript has all of it. */
const reportCharacters = 500;

/** A score together with the expected text and the answer. */
export function scoreAnswer({ answer }: Pick<MetricFacts, "answer">, score: Score, expected: string): MetricScore {
  return {
    ...score,
    expected: shorten(expected.trim(), reportCharacters),
    received: shorten(answer.trim(), reportCharacters),
  };
}

/** A scorer that compares the answer with the ground truth. It throws NoScoreError if the case has none. */
export function compareWithGroundTruth(
  compare: (answer: string, reference: string) => Score | Promise<Score>,
): MetricScorer {
  return async (facts) => {
    const { answer, groundTruth } = facts;
    if (groundTruth === undefined) {
      throw new NoScoreError("the case has no ground_truth. Write one, or remove the metric.");
    }
    return scoreAnswer(facts, await compare(answer, groundTruth), groundTruth);
  };
}

/**
 * A comparison that ignores nothing if nothing is left of the reference otherwise: every answer of articles and punctuation would
 * be equal to `The`.
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

/** The setting `value`, else the ground truth. Throws NoScoreError if there is neither. */
export function expectedValue(value: JsonValue | undefined, { groundTruth }: MetricFacts): JsonValue {
  const expected = value === undefined ? groundTruth : value;
  if (expected !== undefined) return expected;
  throw new NoScoreError("there is neither value nor ground_truth. Write one of them, or remove the metric.");
}
