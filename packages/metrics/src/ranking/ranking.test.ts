import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { groundTruthFactsOf, turnFacts } from "../scoring/facts-for-tests.ts";
import { mrrMetric, reciprocalRank } from "./mrr.ts";
import { ndcg } from "./ndcg.ts";
import { type RankedText, rankRelevantTexts } from "./relevant-texts.ts";

const gainSchema = z.strictObject({ text: z.string(), gain: z.number() });
const fileSchema = z.strictObject({
  metric: z.string(),
  examples: z
    .array(
      z.strictObject({
        title: z.string(),
        given: z.strictObject({
          relevant: z.array(z.union([z.string(), gainSchema])).optional(),
          ground_truth: z.union([z.string(), z.array(z.string())]).optional(),
          retrieval_context: z.array(z.string()),
          k: z.number().optional(),
        }),
        score: z.number(),
        source: z.string(),
      }),
    )
    .min(12),
});

const metrics = [
  { name: "mrr", score: (texts: readonly RankedText[]) => reciprocalRank(texts) },
  { name: "ndcg", score: (texts: readonly RankedText[], k?: number) => ndcg(texts, k) },
];

describe.each(metrics)("$name", ({ name, score: metric }) => {
  const text = readFileSync(join(import.meta.dirname, "../../examples", `${name}.json`), "utf8");

  test.each(fileSchema.parse(JSON.parse(text)).examples)("of an example: $title", ({ given, score }) => {
    const { relevant, ground_truth: groundTruth, retrieval_context: retrievalContext, k } = given;
    const facts = turnFacts({ retrievalContext, ...groundTruthFactsOf(groundTruth) });
    expect(metric(rankRelevantTexts({ relevant, k }, facts), k).score).toBeCloseTo(score, 6);
  });

  test("is from 0 to 1, and 1 if each text is in the passage of its place", () => {
    const ranked = fc.array(
      fc.record({
        text: fc.string(),
        gain: fc.double({ min: 0.1, max: 10, noNaN: true }),
        rank: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(ranked, fc.integer({ min: 1, max: 9 }), (texts, k) => {
        const within = texts.map((each) => ({ ...each, rank: (each.rank ?? 10) > k ? undefined : each.rank }));
        const { score } = metric(within, k);
        expect(score >= 0 && score <= 1).toBe(true);
        const best = texts.toSorted((a, b) => b.gain - a.gain).map((each, index) => ({ ...each, rank: index + 1 }));
        expect(metric(best).score).toBeCloseTo(1, 9);
      }),
    );
  });
});

test("without texts to find there is no score", () => {
  expect(() => rankRelevantTexts({}, turnFacts({ retrievalContext: ["a"] }))).toThrow(
    "there is neither relevant nor ground_truth. Write the texts that the search should find, or remove the metric.",
  );
});

test("the reason lists where each text was found, and the label has the cutoff", () => {
  const facts = turnFacts({ retrievalContext: ["One.", "Within 30 days."] });
  expect(reciprocalRank(rankRelevantTexts({ relevant: ["30 days", "postage"] }, facts)).reason).toBe(
    '"30 days" in passage 2; "postage" in none',
  );
  expect([mrrMetric.label?.({ k: 3 }), mrrMetric.label?.({})]).toEqual(["mrr@3", "mrr"]);
});
