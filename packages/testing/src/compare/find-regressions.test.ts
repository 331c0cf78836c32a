import { expect, test } from "vitest";
import { foldTestRun } from "../log/fold-test-run.ts";
import { planOf, trialOf } from "../log/results-for-tests.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { compareTestRuns } from "./compare-test-runs.ts";

type Outcomes = Readonly<Record<string, readonly TrialResult["outcome"][]>>;

function runOf(outcomes: Outcomes, trials: number) {
  const results = Object.entries(outcomes).flatMap(([name, list]) =>
    list.map((outcome, index) => trialOf({ case: name, trial: index + 1, outcome })),
  );
  return foldTestRun([
    {
      type: "begun",
      version: 1,
      time: 0,
      id: "20261122-071501-aaaa",
      plan: planOf({ cases: Object.keys(outcomes), trials }),
    },
    ...results.map((result) => ({ type: "trial" as const, time: 1, result })),
    { type: "ended", time: 2, stop: null },
  ]);
}

const regressions = (before: Outcomes, after: Outcomes, trials = 1) =>
  compareTestRuns(runOf(before, trials), runOf(after, trials)).regressions;

test.each<[string, Outcomes, Outcomes, string]>([
  ["failed now", { a: ["passed"] }, { a: ["failed"] }, '"a" passed before, and fails now.'],
  ["was removed", { a: ["passed"] }, {}, '"a" passed before, and is missing now.'],
  [
    "ended with an error of the host",
    { a: ["passed"] },
    { a: ["errored"] },
    '"a" passed before, and has no result now.',
  ],
  ["did not run", { a: ["passed"] }, { a: [] }, '"a" passed before, and has no result now.'],
])("a case that passed is a regression if it %s", (_, before, after, sentence) => {
  expect(regressions(before, after)).toEqual([sentence]);
});

test("fewer passing trials of a failing case are a regression", () => {
  const before: Outcomes = { a: ["passed", "passed", "failed"] };
  expect(regressions(before, { a: ["passed", "failed", "failed"] }, 3)).toEqual([
    '"a" passed in 67 % of its trials before, and in 33 % now.',
  ]);
  expect(regressions(before, { a: ["failed", "passed", "passed"] }, 3)).toEqual([]);
});

test("cases that are fixed, new, still failing or gone after a failure are no regressions", () => {
  const before: Outcomes = { fixed: ["failed"], same: ["passed"], still: ["failed"], gone: ["failed"] };
  expect(regressions(before, { fixed: ["passed"], same: ["passed"], still: ["failed"], new: ["failed"] })).toEqual([]);
});
