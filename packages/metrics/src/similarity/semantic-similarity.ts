import type { MetricScore } from "@bridle/protocol";
import { defineMetric } from "../scoring/define-metric.ts";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { bestOf, requireGroundTruths, scoreAnswer } from "../scoring/score-answer.ts";
import { cosine } from "./cosine.ts";

export const semanticSimilarityMetric = defineMetric({
  name: "semantic_similarity",
  type: "standard",
  kind: "wording",
  settings: {},
  remedies: {
    threshold:
      "Models differ in their scores: score some right and some wrong answers, and write a number between them.",
  },
  unit: null,
  passes: "at-least",
  documentation: {
    summary: "how similar the vectors of the answer and the reference are",
    range: "0 to 1",
    needs: "`ground_truth`, `threshold`, `embeddings`",
    cost: "the tokens of the texts",
  },
  /** Compares the texts unchanged. The score is the cosine of their vectors, or 0 if the cosine is negative. */
  open:
    () =>
    async (facts, { embed }) => {
      const references = requireGroundTruths(facts).filter((text) => text.trim() !== "");
      if (references.length === 0) throw new NoScoreError("the ground_truth is empty. Write the expected answer.");
      if (facts.answer.trim() === "") return { score: 0, reason: "the answer is empty" };
      const { model, vectors } = await embed([facts.answer, ...references]);
      const [given = [], ...wanted] = vectors;
      const scores = references.map((reference, index): MetricScore => {
        const score = Math.min(1, Math.max(0, cosine(given, wanted[index] ?? [])));
        return scoreAnswer(facts, { score, reason: `cosine of two vectors of ${model}` }, reference);
      });
      return bestOf(scores);
    },
});
