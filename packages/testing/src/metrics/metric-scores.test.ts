import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MetricConfig } from "@bridle/agent";
import { createRedactor } from "@bridle/core";
import { TrustedFolder } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MetricError, type PlannedMetric } from "../result/planned-metric.ts";
import type { TurnFacts } from "../result/turn-facts.ts";
import { factsForTests } from "./facts-for-tests.ts";
import { MetricPlanner } from "./metric-planner.ts";

const trusted = await TrustedFolder.require(undefined, []);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-metrics-"));
  await writeFile(join(folder, "order.json"), '{ "type": "object", "required": ["id"] }');
  await writeFile(join(folder, "broken.json"), "{");
});
afterAll(() => rm(folder, { recursive: true }));

type WithoutType<Config> = Config extends { type: "standard" } ? Omit<Config, "type"> : never;
type Settings = WithoutType<MetricConfig>;

function plan(settings: Settings): PlannedMetric {
  const judges = { judge: async () => Promise.reject("no judge") };
  const planner = new MetricPlanner({ trusted, folder, judges, redactor: createRedactor() });
  const [metric] = planner.plan([{ type: "standard", ...settings } as MetricConfig]);
  if (metric === undefined) throw new Error("The metric was not planned.");
  return metric;
}
const score = (settings: Settings, facts: Partial<TurnFacts> = {}) =>
  plan(settings).score(factsForTests(facts), new AbortController().signal);

const cat = { answer: "The cat sat on the mat", groundTruth: "The cat is on the mat" };

describe("a computed metric", () => {
  const rows: readonly [settings: Settings, facts: Partial<TurnFacts>, score: number][] = [
    [{ metric: "bleu" }, cat, 0.379918],
    [{ metric: "rouge1" }, cat, 5 / 6],
    [{ metric: "rouge2" }, cat, 3 / 5],
    [{ metric: "rougeL" }, cat, 5 / 6],
    [{ metric: "rouge" }, cat, 5 / 6],
    [{ metric: "rougeL" }, { answer: "orders", groundTruth: "order" }, 0],
    [{ metric: "rougeL", stemming: true }, { answer: "orders", groundTruth: "order" }, 1],
    [{ metric: "meteor" }, { answer: "shipped", groundTruth: "delayed" }, 0],
    [{ metric: "f1" }, { answer: "it shipped", groundTruth: "shipped" }, 2 / 3],
    [{ metric: "f1_score" }, { answer: "it shipped", groundTruth: "shipped" }, 2 / 3],
    [{ metric: "exact_match" }, { groundTruth: "it has shipped" }, 1],
    [{ metric: "contains", value: "shipped" }, {}, 1],
    [{ metric: "contains", value: ["shipped", "lamp"] }, {}, 0],
    [{ metric: "regex", value: "ship+ed" }, {}, 1],
    [{ metric: "equality", value: "It has shipped." }, {}, 1],
    [{ metric: "equality" }, { groundTruth: "It has shipped" }, 0],
    [{ metric: "equality", value: null }, { answer: "null", groundTruth: "no" }, 1],
    [{ metric: "numeric", value: 206588 }, { answer: "It has 206,588 people." }, 1],
    [{ metric: "numeric", value: 5, tolerance: 0.5 }, { answer: "5.4" }, 1],
    [{ metric: "numeric" }, { answer: "some 5 of them", groundTruth: "5" }, 1],
    [{ metric: "numeric", value: 200, relative_tolerance: 0.01 }, { answer: "201.9" }, 1],
    [{ metric: "numeric", value: 200, relative_tolerance: 0.01 }, { answer: "202.1" }, 0],
    [{ metric: "numeric", value: 200, absolute_tolerance: 3, relative_tolerance: 0.01 }, { answer: "203" }, 1],
    [{ metric: "numeric", accept_percent: true }, { answer: "33.2 %", groundTruth: "0.332" }, 1],
    [{ metric: "numeric", accept_percent: true }, { answer: "0.332", groundTruth: "33.2%" }, 1],
    [{ metric: "numeric" }, { answer: "33.2%", groundTruth: "0.332" }, 0],
    [{ metric: "numeric", response_path: "answer" }, { object: { answer: 5, page: 7 }, groundTruth: "7" }, 0],
    [{ metric: "numeric", response_path: "answer" }, { object: { answer: "5" }, groundTruth: "5" }, 1],
    [
      { metric: "contains", value: "late", response_path: "orders[0].note" },
      { answer: '{"orders":[{"note":"late"}]}' },
      1,
    ],
    [{ metric: "equality", value: { a: 1 }, response_path: "b" }, { object: { b: { a: 1 } } }, 1],
    [
      { metric: "bleu", response_path: "text" },
      { object: { text: cat.answer }, groundTruth: cat.groundTruth },
      0.379918,
    ],
    [{ metric: "f1", response_path: "none" }, { object: { text: "a" }, groundTruth: "a" }, 0],
    [{ metric: "equality", value: "Yes", case_insensitive: true }, { answer: "yes" }, 1],
    [{ metric: "equality", value: "a b" }, { answer: "a  b" }, 0],
    [{ metric: "equality", value: "a b", strip_whitespace: true }, { answer: "a \n b" }, 1],
    [{ metric: "equality", value: "ab", strip_punctuation: true }, { answer: "a-b!" }, 1],
    [{ metric: "response_path", path: "order.id", value: "A-1" }, { object: { order: { id: "A-1" } } }, 1],
    [{ metric: "response_path", path: "order.id" }, { object: { order: { id: "A-1" } }, groundTruth: "A-2" }, 0],
    [{ metric: "json_schema", schema: { type: "object" } }, { answer: "{}" }, 1],
    [{ metric: "json_schema", schema: "order.json" }, { answer: "{}" }, 0],
    [{ metric: "latency", threshold: 5 }, {}, 1.5],
    [{ metric: "steps", threshold: 5 }, {}, 3],
    [{ metric: "cost", threshold: 1 }, { costUsd: 0 }, 0],
  ];

  test.each(rows)("%j of %j is %d", async (settings, facts, expected) => {
    expect((await score(settings, facts)).score).toBeCloseTo(expected, 6);
  });
});

test("a score has the expected text and the answer, shortened", async () => {
  const answer = `${"word ".repeat(200)}end`;
  const { expected, received, reason } = await score({ metric: "contains", value: ["shipped", "lamp"] }, { answer });
  expect(expected).toBe('"shipped", "lamp"');
  expect(received).toHaveLength(501);
  expect(reason).toContain("shipped");
  expect(await score({ metric: "numeric", value: 5, tolerance: 1 })).toMatchObject({ expected: "5 ± 1" });
  expect(await score({ metric: "response_path", path: "a", value: 1 })).toMatchObject({ expected: "a is 1" });
  expect(await score({ metric: "json_schema", schema: "order.json" })).toMatchObject({
    expected: "an answer that fits order.json",
  });
});

describe("a metric without its input has no score", () => {
  const ofText = ["bleu", "rouge", "rouge1", "rouge2", "rougeL", "meteor", "f1", "f1_score", "exact_match"];
  test.each(ofText)("%s needs a ground truth", async (metric) => {
    const message = "the case has no ground_truth. Write one, or remove the metric.";
    await expect(score({ metric } as Settings)).rejects.toThrow(new MetricError(message));
  });

  const failing: readonly [settings: Settings, facts: Partial<TurnFacts>, message: string][] = [
    [{ metric: "equality" }, {}, "there is neither value nor ground_truth. Write one of them"],
    [{ metric: "numeric" }, {}, "there is neither value nor ground_truth"],
    [{ metric: "numeric" }, { groundTruth: "five" }, "contains no number"],
    [{ metric: "response_path", path: "a" }, { object: {} }, "there is neither value nor ground_truth"],
    [{ metric: "cost", threshold: 1 }, {}, "the host does not report the cost of the turn"],
    [{ metric: "json_schema", schema: "none.json" }, {}, "the schema none.json cannot be read: ENOENT"],
    [
      { metric: "json_schema", schema: "broken.json" },
      {},
      "the schema broken.json is not valid JSON (line 1, column 2)",
    ],
    [{ metric: "json_schema", schema: { type: "thing" } }, {}, "not a usable JSON Schema"],
    [{ metric: "regex", value: "^(e+)+$" }, { answer: `${"e".repeat(40)}.` }, "takes too long"],
  ];
  test.each(failing)(
    "%j of %j",
    async (settings, facts, message) => {
      const error = await score(settings, facts).catch((failed: unknown) => failed);
      expect(error).toBeInstanceOf(MetricError);
      expect(error).toMatchObject({ message: expect.stringContaining(message) });
    },
    20_000,
  );
});

test("an answer without the value at response_path scores 0, with the reason", async () => {
  const settings: Settings = { metric: "exact_match", response_path: "order.id" };
  expect(await score(settings, { object: { order: {} }, groundTruth: "A-1" })).toEqual({
    score: 0,
    reason: "order.id is missing: order is empty",
  });
  expect(await score(settings, { answer: "A-1", groundTruth: "A-1" })).toMatchObject({
    score: 0,
    reason: 'the answer is not JSON: "A-1"',
  });
});

test("shares pass from their threshold upward, measures downward", () => {
  expect(plan({ metric: "rouge" })).toMatchObject({ metric: "rougeL", threshold: 0.5, passes: "at-least", unit: null });
  expect(plan({ metric: "f1_score", threshold: 0.2 })).toMatchObject({ metric: "f1", threshold: 0.2 });
  expect(plan({ metric: "contains", value: "a" })).toMatchObject({ threshold: 1 });
  expect(plan({ metric: "bleu", threshold: 0 })).toMatchObject({ threshold: 0 });
  const units = (["latency", "cost", "steps"] as const).map((metric) => plan({ metric, threshold: 2 } as Settings));
  expect(units).toMatchObject([
    { threshold: 2, passes: "at-most", unit: "seconds" },
    { threshold: 2, passes: "at-most", unit: "usd" },
    { threshold: 2, passes: "at-most", unit: "steps" },
  ]);
});

describe("of several ground truths", () => {
  const computed: readonly Settings[] = [
    ...(["exact_match", "f1", "rouge1", "rouge2", "rougeL", "meteor", "jaccard", "levenshtein", "anls"] as const).map(
      (metric) => ({ metric }),
    ),
    { metric: "equality" },
    { metric: "numeric" },
  ];
  const answer = "It ships in 5 days";
  const right = { metric: { numeric: "5" } as Readonly<Record<string, string>> };
  const rightFor = (settings: Settings) => right.metric[settings.metric] ?? answer;

  test.each(computed)("the one that fits best counts: $metric", async (settings) => {
    const wrong = settings.metric === "numeric" ? "7" : "Nothing of that";
    const alone = await score(settings, { answer, groundTruth: rightFor(settings) });
    const first = await score(settings, { answer, groundTruth: wrong, otherGroundTruths: [rightFor(settings)] });
    const last = await score(settings, { answer, groundTruth: rightFor(settings), otherGroundTruths: [wrong] });
    expect([first.score, last.score]).toEqual([alone.score, alone.score]);
    expect([first.expected, last.expected]).toEqual([alone.expected, alone.expected]);
    const none = await score(settings, { answer, groundTruth: wrong, otherGroundTruths: [wrong] });
    expect(none.score).toBeLessThan(alone.score);
  });

  test("bleu uses the definition for several references", async () => {
    const facts = { answer: "the cat sat on the mat", groundTruth: "the cat sat", otherGroundTruths: ["on the mat"] };
    const single = await score({ metric: "bleu" }, { ...facts, otherGroundTruths: [] });
    expect((await score({ metric: "bleu" }, facts)).score).toBeGreaterThan(single.score);
  });
});

test("semantic_similarity without an embedder has no score, and its error says what to configure", async () => {
  const use = score({ metric: "semantic_similarity", threshold: 0.8 }, { groundTruth: "It has shipped." });
  await expect(use).rejects.toThrow(
    "there is no embedder, which makes the vectors that are compared. Write embeddings in bridle.yaml, or embedding_provider in the agent file.",
  );
});
