import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScoringContext } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { turnFacts } from "../scoring/facts-for-tests.ts";
import { cosine } from "./cosine.ts";
import { semanticSimilarityMetric } from "./semantic-similarity.ts";

const vector = z.array(z.number());
const fileSchema = z.strictObject({
  metric: z.literal("semantic_similarity"),
  examples: z
    .array(
      z.strictObject({
        title: z.string(),
        source: z.string(),
        score: z.number(),
        given: z.strictObject({ answer_vector: vector, reference_vector: vector }),
      }),
    )
    .min(12),
});

/** Makes a context with an embedder that returns the vectors of these texts. */
function contextWith(known: Readonly<Record<string, readonly number[]>>): ScoringContext {
  return {
    signal: new AbortController().signal,
    judge: () => Promise.reject(new Error("not needed")),
    embed: async (texts) => ({ model: "m", vectors: texts.map((text) => known[text] ?? []) }),
  };
}
const score = semanticSimilarityMetric.open(
  {},
  {
    folder: "/",
    threshold: 0.8,
    openGrader: () => () => ({ score: 0 }),
    share: (_, make) => make(),
  },
);

const text = readFileSync(join(import.meta.dirname, "../../examples/semantic_similarity.json"), "utf8");

test.each(fileSchema.parse(JSON.parse(text)).examples)("semantic_similarity of an example: $title", async (example) => {
  const { answer_vector: answer, reference_vector: reference } = example.given;
  const given = await score(turnFacts({ answer: "a", groundTruth: "b" }), contextWith({ a: answer, b: reference }));
  expect(given.score).toBeCloseTo(example.score, 6);
});

test("of several ground truths the nearest one counts, and is shown as the expected text", async () => {
  const facts = turnFacts({ answer: "a", groundTruth: "far", otherGroundTruths: ["near"] });
  const given = await score(facts, contextWith({ a: [1, 0], far: [0, 1], near: [4, 3] }));
  expect(given).toMatchObject({ score: 0.8, expected: "near", reason: "cosine of two vectors of m" });
});

test("an empty answer scores 0 without an embedder, and a missing ground truth is an error", async () => {
  const none: ScoringContext = { ...contextWith({}), embed: () => Promise.reject(new Error("no embedder")) };
  expect(await score(turnFacts({ answer: " \n", groundTruth: "b" }), none)).toMatchObject({ score: 0 });
  await expect(async () => score(turnFacts(), none)).rejects.toThrow("the case has no ground_truth");
  await expect(async () => score(turnFacts({ groundTruth: "b" }), none)).rejects.toThrow("no embedder");
});

test("the cosine is from -1 to 1, and vectors of different dimensions are refused", () => {
  const pair = fc.integer({ min: 1, max: 8 }).chain((length) => {
    const numbers = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: length, maxLength: length });
    return fc.tuple(numbers, numbers);
  });
  fc.assert(
    fc.property(pair, ([first, second]) => {
      const value = cosine(first, second);
      expect(value >= -1 && value <= 1).toBe(true);
      expect(cosine(second, first)).toBeCloseTo(value, 9);
    }),
  );
  expect(cosine([-3.1e-162, 0], [-7.8e-154, 0])).toBe(1);
  expect(cosine([5e-324, 0], [0, 1e300])).toBe(0);
  expect(() => cosine([1], [1, 2])).toThrow("The vectors have 1 and 2 dimensions, so they cannot be compared.");
});
