import { describe, expect, test } from "vitest";
import { foldTestRun } from "../log/fold-test-run.ts";
import { metricOf, planOf, trialOf, turnOf } from "../log/results-for-tests.ts";
import type { TestPlan } from "../result/test-plan.ts";
import type { TestRun } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { compareTestRuns } from "./compare-test-runs.ts";
import { comparisonSchema } from "./comparison.ts";

const ids = { before: "20261122-071501-aaaa", after: "20261123-071501-bbbb" };

function runOf(id: string, plan: Partial<TestPlan>, results: readonly TrialResult[]): TestRun {
  return foldTestRun([
    { type: "begun", version: 1, time: 0, id, plan: planOf(plan) },
    ...results.map((result) => ({ type: "trial" as const, time: 1_000, result })),
    { type: "ended", time: 2_000, stop: null },
  ]);
}

const before = (plan: Partial<TestPlan>, ...results: TrialResult[]) => runOf(ids.before, plan, results);
const after = (plan: Partial<TestPlan>, ...results: TrialResult[]) => runOf(ids.after, plan, results);
const named = (name: string, outcome: TrialResult["outcome"], changes: Partial<TrialResult> = {}) =>
  trialOf({ case: name, outcome, ...changes });
const order = { cases: ["order"] };

test("every case has its change, in the order of the later file", () => {
  const comparison = compareTestRuns(
    before(
      { cases: ["gone", "a", "b", "c", "d", "e", "f"] },
      named("gone", "passed"),
      named("a", "failed"),
      named("b", "passed"),
      named("c", "failed"),
      named("d", "passed"),
      named("e", "passed"),
    ),
    after(
      { cases: ["new", "f", "e", "d", "c", "b", "a"] },
      named("new", "failed"),
      named("f", "passed"),
      named("e", "errored"),
      named("d", "passed"),
      named("c", "failed"),
      named("b", "failed"),
      named("a", "passed"),
    ),
  );
  expect(comparison.cases.map(({ name, before: was, after: is, change }) => [name, was, is, change])).toEqual([
    ["new", null, "failed", "added"],
    ["f", "not-run", "passed", "not-compared"],
    ["e", "passed", "errored", "not-compared"],
    ["d", "passed", "passed", "still-passing"],
    ["c", "failed", "failed", "still-failing"],
    ["b", "passed", "failed", "broken"],
    ["a", "failed", "passed", "fixed"],
    ["gone", "passed", null, "removed"],
  ]);
  expect(comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison);
});

test("figures have before, after and, if both are known, the difference", () => {
  const metric = (score: number | null) => ({ metrics: [metricOf({ score })] });
  const comparison = compareTestRuns(
    before(
      order,
      trialOf({ turn: { ...metric(0.1), steps: 2, durationMs: 700, cost: { usd: 0.1, estimate: false } } }),
    ),
    after(
      { ...order, trials: 2 },
      trialOf({ turn: { ...metric(0.3), steps: 3, durationMs: 500, cost: null } }),
      trialOf({ trial: 2, outcome: "failed", turn: { ...metric(0), steps: 6, durationMs: 1_000, cost: null } }),
    ),
  );
  expect(comparison.cases[0]).toMatchObject({
    passRate: { before: 1, after: 0.5, delta: -0.5 },
    steps: { before: 2, after: 4.5, delta: 2.5 },
    durationMs: { before: 700, after: 750, delta: 50 },
    costUsd: { before: 0.1, after: null, delta: null },
    metrics: [{ name: "rougeL", unit: null, passes: "at-least", mean: { before: 0.1, after: 0.15, delta: 0.05 } }],
  });
  expect(comparison).toMatchObject({
    passRate: { before: 1, after: 0.5, delta: -0.5 },
    durationMs: { before: 2_000, after: 2_000, delta: 0 },
    costUsd: { before: 0.1, after: null, delta: null },
    metrics: comparison.cases[0]?.metrics,
  });
});

test("a metric of only one invocation has only its own figures", () => {
  const withMetric = (name: string) => trialOf({ turn: { metrics: [metricOf({ name })] } });
  const { metrics } = compareTestRuns(before(order, withMetric("old")), after(order, withMetric("new")));
  expect(metrics.map(({ name, mean }) => [name, mean])).toEqual([
    ["new", { before: null, after: 1, delta: null }],
    ["old", { before: 1, after: null, delta: null }],
  ]);
});

test("figures of a trial that the host ended do not count", () => {
  const cut = trialOf({ trial: 2, outcome: "errored", turn: { steps: 0, durationMs: 60_000, cost: null } });
  const plan = { ...order, trials: 2 };
  const { cases } = compareTestRuns(before(plan, trialOf(), cut), after(plan, cut));
  expect(cases[0]).toMatchObject({
    passRate: { before: 1, after: null },
    steps: { before: 2, after: null, delta: null },
    durationMs: { before: 800, after: null },
    costUsd: { before: 0.01, after: null },
  });
});

test("a case whose outcome changed shows how its transcripts differ, of the first trials that show the outcomes", () => {
  const saying = (text: string) => turnOf({ transcript: [{ kind: "text", text }] });
  const trial = (number: number, outcome: TrialResult["outcome"], text: string) =>
    trialOf({ trial: number, outcome, turns: [saying(text)] });
  const plan = { ...order, trials: 3 };
  const { cases } = compareTestRuns(
    before(plan, trial(1, "passed", "It has shipped."), trial(2, "passed", "Shipped."), trial(3, "passed", "Yes.")),
    after(plan, trial(1, "passed", "It has shipped."), trial(2, "failed", "I cannot tell."), trial(3, "failed", "No.")),
  );
  expect(cases[0]?.transcript).toEqual({
    beforeTrial: 1,
    afterTrial: 2,
    lines: ["@@ -1,4 +1,4 @@", " User:", "   Where is it?", " Agent:", "-  It has shipped.", "+  I cannot tell."],
  });
});

test("an unchanged outcome, or a side without trials, has no transcript", () => {
  const same = compareTestRuns(before(order, trialOf()), after(order, trialOf({ turn: { transcript: [] } })));
  expect(same.cases[0]?.transcript).toBeNull();
  const missing = compareTestRuns(before(order), after(order, trialOf()));
  expect(missing.cases[0]?.transcript).toBeNull();
});

test("the same answer with another score shows an empty difference", () => {
  const { cases } = compareTestRuns(before(order, trialOf()), after(order, trialOf({ outcome: "failed" })));
  expect(cases[0]?.transcript).toEqual({ beforeTrial: 1, afterTrial: 1, lines: [] });
});

test("differences between the plans are listed", () => {
  const { differences, configuration, warnings } = compareTestRuns(
    before({}),
    after({
      backend: "claude-code",
      model: "claude-opus-5",
      instructions: { version: "2", sha256: "1".repeat(64) },
      git: { commit: "c0ffee0", dirty: true },
      allowSideEffects: true,
      versions: { bridle: "0.2.0", "claude-code": "2.1.330" },
      configuration: { steps: 9, name: "desk" },
    }),
  );
  expect(differences).toEqual([
    { what: "backend", before: "anthropic", after: "claude-code" },
    { what: "model", before: "claude-sonnet-5", after: "claude-opus-5" },
    { what: "instructions", before: "1", after: "2" },
    { what: "text of the instructions", before: "000000000000", after: "111111111111" },
    { what: "commit", before: "c0ffee0", after: "c0ffee0, with changes" },
    { what: "side effects", before: "denied", after: "allowed" },
    { what: "bridle", before: "0.1.0", after: "0.2.0" },
    { what: "claude-code", before: null, after: "2.1.330" },
  ]);
  expect(configuration).toEqual(["@@ -2,3 +2,3 @@", '   "name": "desk",', '-  "steps": 5', '+  "steps": 9', " }"]);
  expect(warnings).toEqual([]);
});

test("the same tests again have no differences and no warnings", () => {
  const { differences, configuration, warnings, cases } = compareTestRuns(
    before(order, trialOf()),
    after({ ...order, configuration: { steps: 5, name: "desk" } }, trialOf()),
  );
  expect({ differences, configuration, warnings }).toEqual({ differences: [], configuration: [], warnings: [] });
  expect(cases.map(({ change }) => change)).toEqual(["still-passing"]);
});

test("misleading figures have a warning", () => {
  const agent = { name: "shop", file: "shop.yaml", description: null };
  const unfinished = { ...before(order), state: "unfinished" as const };
  expect(compareTestRuns(unfinished, after({ agent, rehearsal: "rehearsal.yaml", trials: 3 })).warnings).toEqual([
    "These are tests of two agents, desk and shop: cases with the same name may differ.",
    `${ids.after} was a rehearsal: its answers come from a script, not from a model.`,
    "Cases ran once before and 3 times after: a case passes only when all of its trials do.",
    `${ids.before} is not finished: 1 of 1 cases have no result yet.`,
  ]);
  const one = after(order, trialOf());
  expect(compareTestRuns(one, one).warnings).toEqual([`Both are the invocation ${ids.after}.`]);
  const running = { ...after(order), state: "running" as const };
  expect(compareTestRuns(one, running).warnings).toContain(
    `${ids.after} is still running: 1 of 1 cases have no result yet.`,
  );
});

describe("a change is distinguished from noise", () => {
  const names = Array.from({ length: 12 }, (_, index) => `case ${index}`);
  const runOfScores = (id: string, scores: readonly number[], changes: Parameters<typeof metricOf>[0] = {}) => {
    const results = scores.map((score, index) =>
      trialOf({
        case: names[index] ?? "",
        outcome: score > 0.5 ? "passed" : "failed",
        turn: { metrics: [metricOf({ score, ...changes })] },
      }),
    );
    return runOf(id, { cases: names }, results);
  };
  const levels = [0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6, 0.15, 0.85, 0.35, 0.65];
  const changed = (id: string, change: (index: number) => number, rest: Parameters<typeof metricOf>[0] = {}) =>
    runOfScores(
      id,
      levels.map((level, index) => level + change(index)),
      rest,
    );
  const jitter = (index: number) => (index % 3) * 0.01;

  test.each([
    ["a small rise of every case", (index: number) => 0.05 + jitter(index), {}, "better"],
    ["a small fall of every case", (index: number) => -0.05 - jitter(index), {}, "worse"],
    ["rises and falls of the same size", (index: number) => (index % 2 === 0 ? 0.05 : -0.05), {}, "unclear"],
    ["a rise of one case alone", (index: number) => (index === 0 ? 0.5 : 0), {}, "unclear"],
    ["no change", () => 0, {}, "unclear"],
    ["a rise of a measure that should be small", jitter, { passes: "at-most", unit: "seconds" }, "worse"],
  ] as const)("%s", (_, change, rest, verdict) => {
    const was = changed(ids.before, () => 0, rest);
    const [metric] = compareTestRuns(was, changed(ids.after, change, rest)).metrics;
    expect(metric?.verdict).toBe(verdict);
    expect(metric?.interval?.low).toBeLessThanOrEqual((metric?.mean.delta ?? Number.NaN) + 1e-9);
    expect(metric?.interval?.high).toBeGreaterThanOrEqual((metric?.mean.delta ?? Number.NaN) - 1e-9);
  });

  test("a pass rate that rises from 2 to 10 of 12 is better, and one that rises from 6 to 7 may be noise", () => {
    const withPassed = (id: string, passed: number) =>
      runOfScores(
        id,
        names.map((_, index) => (index < passed ? 1 : 0)),
      );
    const rate = (was: number, is: number) =>
      compareTestRuns(withPassed(ids.before, was), withPassed(ids.after, is)).passRate;
    expect(rate(2, 10)).toMatchObject({ verdict: "better", interval: { low: expect.closeTo(0.3108, 4) } });
    expect(rate(10, 2).verdict).toBe("worse");
    expect(rate(6, 7).verdict).toBe("unclear");
  });

  test("three cases with twenty trials each count as three cases, not as sixty", () => {
    const cases = names.slice(0, 3);
    const withPassed = (id: string, passed: readonly number[]) =>
      runOf(
        id,
        { cases, trials: 20 },
        cases.flatMap((name, index) =>
          Array.from({ length: 20 }, (_, trial) =>
            trialOf({ case: name, trial: trial + 1, outcome: trial < (passed[index] ?? 0) ? "passed" : "failed" }),
          ),
        ),
      );
    const [was, is] = [withPassed(ids.before, [20, 8, 0]), withPassed(ids.after, [20, 20, 2])];
    expect(was.summary.passRateInterval).toMatchObject({ low: expect.closeTo(0.11, 1), high: expect.closeTo(0.86, 1) });
    expect(compareTestRuns(was, is).passRate).toMatchObject({ verdict: "unclear" });
  });

  test("with few scores every change may be noise", () => {
    const few = (id: string, score: number) => runOfScores(id, [score, score, score]);
    const [metric] = compareTestRuns(few(ids.before, 0.1), few(ids.after, 0.9)).metrics;
    expect(metric).toMatchObject({ interval: null, verdict: "unclear" });
  });

  test("a metric that only one invocation has gets no verdict", () => {
    const [metric] = compareTestRuns(
      runOf(ids.before, order, [trialOf()]),
      changed(ids.after, () => 0),
    ).metrics;
    expect(metric).toMatchObject({ mean: { delta: null }, interval: null, verdict: null });
  });
});
