import { NetworkError, UsageLimitError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { MetricError, type PlannedMetric, type Scored } from "../result/planned-metric.ts";
import type { TurnFacts } from "../result/turn-facts.ts";
import { scoreTurn } from "./score-turn.ts";

const facts: TurnFacts = {
  caseName: "status",
  turn: 2,
  input: "Where is it?",
  answer: "It has shipped.",
  retrievalContext: [],
  calls: [],
  transcript: [],
  config: {},
  steps: 1,
  durationMs: 12,
};
const { signal } = new AbortController();

function metric(score: () => Promise<Scored> | Scored, rest: Partial<PlannedMetric> = {}): PlannedMetric {
  return {
    name: "tone",
    type: "code",
    metric: "code",
    threshold: 0.5,
    passes: "at-least",
    unit: null,
    score: async () => score(),
    ...rest,
  };
}

async function one(score: () => Promise<Scored> | Scored, rest: Partial<PlannedMetric> = {}) {
  const { metrics, failures } = await scoreTurn([metric(score, rest)], facts, signal);
  return { ...metrics[0], failure: failures[0] };
}

test("a score at the threshold passes despite rounding errors", async () => {
  expect(await one(() => ({ score: 0.5 }))).toMatchObject({ outcome: "passed", score: 0.5, failure: undefined });
  expect(await one(() => ({ score: 0.1 + 0.2 }), { threshold: 0.3, passes: "at-most" })).toMatchObject({
    outcome: "passed",
  });
  expect(await one(() => ({ score: 0.7 - 1e-12 }), { threshold: 0.7 })).toMatchObject({ outcome: "passed" });
  expect(await one(() => ({ score: 0.699 }), { threshold: 0.7 })).toMatchObject({ outcome: "failed" });
});

test("a score below the threshold is a failure with the expected score, the score and the reason", async () => {
  const scored = { score: 0.3799, reason: "Two words differ.", expected: "sat", received: "is" };
  expect(await one(() => scored)).toMatchObject({
    outcome: "failed",
    failure: {
      kind: "metric",
      turn: 2,
      expected: "sat",
      received: "is",
      code: null,
      message: "tone: expected ≥ 0.5, got 0.3799. Two words differ.",
    },
  });
});

test.each([
  ["seconds", 2.31415, 1, "tone: expected ≤ 1 s, got 2.314 s."],
  ["usd", 0.0123, 0.01, "tone: expected ≤ $0.01, got $0.0123."],
  ["steps", 3, 1, "tone: expected ≤ 1 step, got 3 steps."],
  ["seconds", 1.00001, 1, "tone: expected ≤ 1 s, got 1.00001 s."],
] as const)("a failure names the limit and the score in %s", async (unit, score, threshold, message) => {
  expect((await one(() => ({ score }), { unit, threshold, passes: "at-most" })).failure?.message).toBe(message);
});

test.each([
  ["NaN", Number.NaN, "it returned NaN, which is not a score from 0 to 1. Correct the metric."],
  ["a percentage", 87, "it returned 87, which is not a score from 0 to 1. Correct the metric."],
  ["a negative number", -0.1, "it returned -0.1, which is not a score from 0 to 1. Correct the metric."],
])("%s is not a score, and the metric could not run", async (_, score, reason) => {
  expect(await one(() => ({ score }))).toMatchObject({
    outcome: "errored",
    score: null,
    reason,
    failure: { kind: "metric-error", message: `tone could not run: ${reason}` },
  });
});

test.each([
  ["an error", new MetricError("needs ground_truth. Write it."), "tone could not run: needs ground_truth. Write it."],
  ["a text", "no", "tone could not run: no."],
  ["nothing", undefined, "tone could not run: no reason was given."],
  ["a value without a text", Object.create(null), "tone could not run: {}."],
])("a metric that throws %s could not run, and the others run", async (_, thrown, message) => {
  const throwing = metric(() => {
    throw thrown;
  });
  const { metrics, failures } = await scoreTurn([throwing, metric(() => ({ score: 1 }))], facts, signal);
  expect(metrics.map(({ outcome }) => outcome)).toEqual(["errored", "passed"]);
  expect(failures).toMatchObject([{ kind: "metric-error", message }]);
});

test("the cost of a judge is stored even if its metric could not run", async () => {
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const judgement = { backend: "anthropic", model: "m", runIds: ["r"], usage, cost: null };
  const result = await one(() => {
    throw new MetricError("the judge answered nonsense.", { judgement });
  });
  expect(result).toMatchObject({ outcome: "errored", judgement });
});

test("a failing host of a judge says nothing about the agent", async () => {
  const result = await one(() => {
    throw new NetworkError("The host cannot be reached.");
  });
  expect(result.failure).toMatchObject({ kind: "backend", code: "network" });
  const behind = await one(() => {
    throw new MetricError("its judge failed.", { cause: new NetworkError("The host cannot be reached.") });
  });
  expect(behind.failure).toMatchObject({ kind: "backend", code: "network" });
});

test("a used-up window of a judge stops the invocation", async () => {
  const limit = new UsageLimitError("The window is used up.");
  const used = metric(() => {
    throw limit;
  });
  await expect(scoreTurn([metric(() => ({ score: 1 })), used], facts, signal)).rejects.toBe(limit);
});
