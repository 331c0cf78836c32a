import { expect, test } from "vitest";
import type { TestRun } from "../result/test-run.ts";
import {
  costOf,
  failuresOf,
  formatLocation,
  runFacts,
  summaryLine,
  totalFacts,
  worstFirst,
  worstOutcome,
} from "./facts.ts";
import { sampleRun } from "./sample-run-for-tests.ts";

const run = sampleRun({ cases: 20 });
const withSummary = (summary: Partial<TestRun["summary"]>, state: TestRun["state"] = "finished"): TestRun => ({
  ...run,
  state,
  summary: { ...run.summary, cases: 40, passed: 40, failed: 0, errored: 0, notRun: 0, ...summary },
});

test("the summary line has the number of passed cases, after a note if not all have run", () => {
  expect(summaryLine(withSummary({}))).toBe("all 40 cases passed");
  expect(summaryLine(withSummary({ passed: 37, failed: 3 }))).toBe("37 of 40 cases passed");
  expect(summaryLine(withSummary({ passed: 30, notRun: 10 }, "unfinished"))).toBe(
    "Not finished: 30 of 40 cases passed",
  );
});

test("the mark shows the worst outcome, and never success if results are missing", () => {
  expect(worstOutcome(withSummary({}))).toBe("passed");
  expect(worstOutcome(withSummary({ failed: 1, errored: 1 }))).toBe("failed");
  expect(worstOutcome(withSummary({ errored: 1, notRun: 1 }))).toBe("errored");
  expect(worstOutcome(withSummary({ notRun: 1 }))).toBe("not-run");
  expect(worstOutcome(withSummary({}, "unfinished"))).toBe("not-run");
});

test("failed cases come first, in the order of the file", () => {
  const order = worstFirst(run.cases).map(({ outcome }) => outcome);
  expect(order.join(" ")).toMatch(/^(failed ){14}errored not-run( passed){4}$/);
  expect(worstFirst(run.cases)[0]).toBe(run.cases[1]);
});

test("a failure has a location only if there are several trials or turns", () => {
  const several = sampleRun({ cases: 20, trials: 2 });
  const [single, turns] = [run.cases[3], several.cases[9]];
  if (!single || !turns) throw new Error("the sample has fewer cases");
  expect(failuresOf(single).map((failure) => formatLocation(failure, single))).toEqual([""]);
  expect(failuresOf(turns).map((failure) => formatLocation(failure, turns))).toEqual([
    " (trial 1, turn 3)",
    " (trial 2, turn 3)",
  ]);
});

test("a cost includes judges, and says that it is a part if another part is not known", () => {
  const [first] = run.cases;
  const backend = run.cases.find(({ outcome }) => outcome === "errored");
  const turns = first?.trials[0]?.turns ?? [];
  const [turn] = turns;
  const judged = turn?.metrics.reduce((sum, { judgement }) => sum + (judgement?.cost?.usd ?? 0), 0) ?? 0;
  expect(costOf(first?.trials ?? [])?.usd).toBeCloseTo((turn?.cost?.usd ?? 0) + judged, 9);
  expect(judged).toBeGreaterThan(0);
  expect(costOf(backend?.trials ?? [])).toMatchObject({ usd: expect.any(Number), partial: true });
});

test("the facts include the commit and the script of a rehearsal", () => {
  const facts = runFacts({
    ...run,
    resumed: 2,
    plan: { ...run.plan, rehearsal: "rehearsal.yaml", allowSideEffects: true },
  });
  expect(Object.fromEntries(facts)).toMatchObject({
    Commit: "6996bfc1d2e3, with uncommitted changes",
    Rehearsal: "rehearsal.yaml: a script answered instead of the model",
    Started: "2026-03-14 09:26:53 UTC, resumed 2 times",
    "Side effects": "allowed",
  });
  expect(Object.fromEntries(totalFacts(run))).toMatchObject({
    "Pass rate": "22.2% (95% interval: 9% to 45.2%)",
    Cost: expect.stringMatching(/^at least \$0\.\d+ \(estimate\), including \$0\.\d+ for judges$/),
  });
});
