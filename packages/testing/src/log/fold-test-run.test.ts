import fc from "fast-check";
import { expect, test } from "vitest";
import { testRunSchema } from "../result/test-run.ts";
import type { TrialResult, TurnResult } from "../result/trial-result.ts";
import { type FoldedEvent, foldTestRun } from "./fold-test-run.ts";
import { metricOf, planOf, trialOf, turnOf } from "./results-for-tests.ts";

const begun = (changes: Parameters<typeof planOf>[0] = {}): FoldedEvent => ({
  type: "begun",
  version: 1,
  time: 0,
  id: "20261122-071501-aaaa",
  plan: planOf(changes),
});
const trials = (...results: TrialResult[]): FoldedEvent[] =>
  results.map((result) => ({ type: "trial", time: 10, result }));
const fold = (plan: Parameters<typeof planOf>[0], ...results: TrialResult[]) =>
  foldTestRun([begun(plan), ...trials(...results)]);
const withMetrics = (...metrics: Parameters<typeof metricOf>[0][]) =>
  trialOf({ turn: { metrics: metrics.map((changes) => metricOf(changes)) } });

test("a case passed when every trial did, and failed when one did", () => {
  const run = fold(
    { trials: 2 },
    trialOf(),
    trialOf({ trial: 2 }),
    trialOf({ case: "hours" }),
    trialOf({ case: "hours", trial: 2, outcome: "failed" }),
  );
  expect(run.cases.map(({ outcome, flaky, passed }) => [outcome, flaky, passed])).toEqual([
    ["passed", false, 2],
    ["failed", true, 1],
  ]);
  expect(run.summary).toMatchObject({ cases: 2, passed: 1, failed: 1, flaky: 1, passRate: 0.75 });
});

test("a failure of the host is no failure of the agent and does not count", () => {
  const run = fold({ trials: 2, cases: ["order"] }, trialOf(), trialOf({ trial: 2, outcome: "errored" }));
  expect(run.cases[0]).toMatchObject({ outcome: "errored", flaky: false, passed: 1, trialsJudged: 1 });
  expect(run.cases[0]?.statistics).toEqual([{ k: 1, passAtK: 1, passHatK: 1 }]);
  expect(run.summary).toMatchObject({ errored: 1, passRate: 1 });
});

test("a case with missing trials is not run, unless a trial failed", () => {
  const outcome = (...results: TrialResult[]) => fold({ trials: 3, cases: ["order"] }, ...results).cases[0]?.outcome;
  expect(outcome()).toBe("not-run");
  expect(outcome(trialOf(), trialOf({ trial: 2 }))).toBe("not-run");
  expect(outcome(trialOf({ outcome: "errored" }))).toBe("errored");
  expect(outcome(trialOf({ outcome: "errored" }), trialOf({ trial: 2, outcome: "failed" }))).toBe("failed");
});

test("the chances of k trials follow their formulas, and their mean takes the cases that have k", () => {
  const run = fold(
    { trials: 3 },
    ...[1, 2, 3].map((trial) => trialOf({ trial, outcome: trial === 1 ? "passed" : "failed" })),
    trialOf({ case: "hours" }),
  );
  const [order] = run.cases;
  expect(order?.statistics.map(({ passAtK }) => passAtK)).toEqual([
    expect.closeTo(1 / 3),
    expect.closeTo(2 / 3), // 1 - C(2,2)/C(3,2)
    1,
  ]);
  expect(order?.statistics.map(({ passHatK }) => passHatK)).toEqual([expect.closeTo(1 / 3), 0, 0]);
  expect(run.summary.statistics).toEqual([
    { k: 1, passAtK: expect.closeTo(2 / 3), passHatK: expect.closeTo(2 / 3) },
    { k: 2, passAtK: expect.closeTo(2 / 3), passHatK: 0 },
    { k: 3, passAtK: 1, passHatK: 0 },
  ]);
});

test("zeros count in the mean of a metric, and errors do not", () => {
  const run = fold(
    { cases: ["order"] },
    withMetrics({ score: 1 }, { score: 0, outcome: "failed" }, { score: null, outcome: "errored" }),
  );
  expect(run.summary.metrics).toEqual([
    {
      name: "rougeL",
      unit: null,
      passes: "at-least",
      threshold: 0.5,
      mean: 0.5,
      interval: null,
      deviation: expect.closeTo(Math.SQRT1_2),
      min: 0,
      max: 1,
      scores: 2,
      passed: 1,
      failed: 1,
      errored: 1,
    },
  ]);
  expect(run.cases[0]?.metrics).toEqual(run.summary.metrics);
});

test("a metric that never ran has no mean, and one of two settings is two metrics", () => {
  const run = fold(
    { cases: ["order"] },
    withMetrics({ name: 'contains "a"' }, { name: 'contains "b"', score: null, outcome: "errored" }),
  );
  expect(run.summary.metrics).toMatchObject([
    { name: 'contains "a"', mean: 1, deviation: null },
    { name: 'contains "b"', mean: null, min: null, max: null, scores: 0, errored: 1 },
  ]);
});

test("a metric with several thresholds has no common threshold", () => {
  const run = fold({}, withMetrics({ threshold: 0.5 }, { threshold: 0.7 }));
  expect(run.summary.metrics[0]?.threshold).toBeNull();
});

test("tokens and costs include judges, and those of judges are also separate", () => {
  const judgement = {
    backend: "anthropic",
    model: "m",
    runIds: ["run_2"],
    usage: { inputTokens: 5, outputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3 },
    cost: { usd: 0.002, estimate: true },
  };
  const { summary } = fold({}, withMetrics({ judgement }));
  expect(summary.usage).toEqual({ inputTokens: 105, outputTokens: 21, cacheReadTokens: 2, cacheWriteTokens: 3 });
  expect(summary.cost).toEqual({ usd: 0.012, estimate: true });
  expect(summary.judges).toEqual({ usage: judgement.usage, cost: judgement.cost });
});

test("a cost with an unknown part says that it is a part, and turns that never started cost nothing", () => {
  const free = { usd: 0, estimate: false };
  const known = { usd: 0.25, estimate: false };
  const part = { ...known, partial: true as const };
  const of = (...costs: TurnResult["cost"][]) =>
    fold(
      { cases: ["a"], trials: costs.length },
      ...costs.map((cost, at) => trialOf({ trial: at + 1, turn: { cost } })),
    );
  expect(of(known, null).summary.cost).toEqual(part);
  expect(of(part, known).summary.cost).toEqual({ ...part, usd: 0.5 });
  expect(of(known, known).summary.cost).toEqual({ ...known, usd: 0.5 });
  expect(fold({}, trialOf({ turn: { cost: null } })).summary).toMatchObject({ cost: null, judges: { cost: free } });
  expect(fold({}, trialOf({ turn: { cost: null, runId: null } })).summary.cost).toEqual(free);
  expect(fold({}).summary.cost).toEqual(free);
});

test("the pass rate has an interval over the scored trials, and a mean has one from six scores on", () => {
  const scores = [0.2, 0.4, 0.6, 0.8, 1, 0.6];
  const results = scores.map((score, index) =>
    trialOf({ trial: index + 1, outcome: score < 0.5 ? "failed" : "passed", turn: { metrics: [metricOf({ score })] } }),
  );
  const plan = { cases: ["order"], trials: 7 };
  const { summary, cases } = fold(plan, ...results, trialOf({ trial: 7, outcome: "errored", turns: [] }));
  expect(summary.passRateInterval).toEqual({ low: expect.closeTo(0.3), high: expect.closeTo(0.9032, 4) }); // of 4 of 6
  const { interval } = summary.metrics[0] ?? {};
  expect(interval?.low).toBeGreaterThan(0.3);
  expect(interval?.high).toBeLessThan(0.9);
  expect(cases[0]?.metrics[0]?.interval).toEqual(interval);
  const five = fold(plan, ...results.slice(0, 5)).summary;
  expect(five.metrics[0]?.interval).toBeNull();
  expect(fold(plan).summary.passRateInterval).toBeNull();
});

test("without a scored trial the rate is 0", () => {
  expect(fold({}, trialOf({ outcome: "errored" })).summary).toMatchObject({ passRate: 0, statistics: [], notRun: 1 });
});

test("results of an unplanned case are shown, too", () => {
  const run = fold({ cases: ["hours"] }, trialOf({ case: "z" }), trialOf());
  expect(run.cases.map(({ name }) => name)).toEqual(["hours", "order", "z"]);
});

test("a stopped invocation has its reason and is unfinished until it ends without a stop", () => {
  const stop = { reason: "usage-limit" as const, message: "Used up.", code: "usage_limit" };
  const events: FoldedEvent[] = [begun(), { type: "ended", time: 5_000, stop }];
  expect(foldTestRun(events)).toMatchObject({ state: "unfinished", stop, endedAt: "1970-01-01T00:00:05.000Z" });
  const resumed: FoldedEvent[] = [...events, { type: "resumed", time: 100_000 }, ...trials(trialOf())];
  expect(foldTestRun(resumed)).toMatchObject({ state: "unfinished", stop: null, endedAt: null, resumed: 1 });
  const ended: FoldedEvent[] = [...resumed, { type: "ended", time: 101_000, stop: null }];
  expect(foldTestRun(ended)).toMatchObject({ state: "finished", durationMs: 6_000 });
});

test("a clock that is set back makes no negative duration", () => {
  expect(foldTestRun([{ ...begun(), time: 9_000 }, ...trials(trialOf())]).durationMs).toBe(0);
});

test("events without begun at the start are refused", () => {
  expect(() => foldTestRun(trials(trialOf()))).toThrow(TypeError);
});

const anyTrial = fc
  .record({
    case: fc.constantFrom("a", "b", "c"),
    trial: fc.integer({ min: 1, max: 4 }),
    outcome: fc.constantFrom("passed" as const, "failed" as const, "errored" as const),
    score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    cost: fc.option(fc.integer({ min: 0, max: 1_000 }).map((usd) => ({ usd: usd / 1_000, estimate: false }))),
    turns: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ score, cost, turns, ...trial }) => {
    const metrics = [metricOf({ score, outcome: score === null ? "errored" : "passed" })];
    return trialOf({ ...trial, turns: Array.from({ length: turns }, () => turnOf({ cost, metrics })) });
  });
const keyOf = (trial: TrialResult) => `${trial.case} ${trial.trial}`;
const plan = { cases: ["a", "b", "c"], trials: 4 };

test("the order of trials does not matter", () => {
  const shuffled = fc
    .uniqueArray(anyTrial, { selector: keyOf })
    .chain((results) => fc.tuple(fc.constant(results), fc.shuffledSubarray(results, { minLength: results.length })));
  fc.assert(
    fc.property(shuffled, ([results, others]) => {
      expect(fold(plan, ...others)).toEqual(fold(plan, ...results));
    }),
  );
});

test("the last result of a case and trial counts", () => {
  fc.assert(
    fc.property(fc.array(anyTrial), (results) => {
      const last = results.filter((one, at) => results.findLastIndex((other) => keyOf(other) === keyOf(one)) === at);
      expect(fold(plan, ...results)).toEqual(fold(plan, ...last));
    }),
  );
});

test("counts add up, shares are from 0 to 1, and the run fits its schema", () => {
  fc.assert(
    fc.property(fc.array(anyTrial), (results) => {
      const run = testRunSchema.parse(fold(plan, ...results));
      const { cases, passed, failed, errored, notRun, metrics } = run.summary;
      expect(passed + failed + errored + notRun).toBe(cases);
      for (const metric of metrics) {
        expect(metric.passed + metric.failed + metric.errored).toBe(metric.scores + metric.errored);
        expect(metric.scores).toBe(run.cases.flatMap((one) => one.metrics.map(({ scores }) => scores)).reduce(add, 0));
      }
      for (const { trials: kept, trialsJudged, passed: good, statistics } of run.cases) {
        expect(kept.filter(({ outcome }) => outcome !== "errored")).toHaveLength(trialsJudged);
        expect(good).toBeLessThanOrEqual(trialsJudged);
        expect(statistics).toHaveLength(trialsJudged);
      }
    }),
  );
});

function add(a: number, b: number): number {
  return a + b;
}
