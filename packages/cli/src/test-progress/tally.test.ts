import { expect, test } from "vitest";
import { samplePlan, sampleTrial } from "../test-report/sample-for-tests.ts";
import { countCases, endTrial, estimateLeft, finishedTrials, startTally, startTrial } from "./tally.ts";

const plan = samplePlan({ cases: ["a", "b", "c"], trials: 2, parallel: 2 });

test("a case counts when all of its trials have ended, and as failed if one trial failed", () => {
  let tally = startTally(plan, [], 0);
  tally = endTrial(tally, sampleTrial({ case: "a", trial: 1 }));
  expect(countCases(tally)).toEqual({ passed: 0, failed: 0, errored: 0, left: 3 });
  expect(finishedTrials(tally, "a")).toBeUndefined();
  tally = endTrial(tally, sampleTrial({ case: "a", trial: 2, outcome: "failed" }));
  expect(countCases(tally)).toEqual({ passed: 0, failed: 1, errored: 0, left: 2 });
  expect(finishedTrials(tally, "a")).toHaveLength(2);
});

test("trials of an earlier process count, and take no time now", () => {
  const finished = [sampleTrial({ case: "b", trial: 1 }), sampleTrial({ case: "b", trial: 2 })];
  const tally = startTally(plan, finished, 0);
  expect(countCases(tally)).toEqual({ passed: 1, failed: 0, errored: 0, left: 2 });
  expect(estimateLeft(tally, 0)).toBeUndefined();
});

test("the estimate assumes that the remaining trials run in parallel", () => {
  let tally = startTally(plan, [], 0);
  tally = endTrial(tally, sampleTrial({ case: "a", trial: 1, durationMs: 1000 }));
  tally = startTrial(tally, { case: "a", trial: 2, since: 1000 });
  expect(estimateLeft(tally, 1400)).toBe((600 + 4 * 1000) / 2);
  expect(estimateLeft(tally, 9000)).toBe(2000); // this trial takes longer than the others did
});

test("a trial that has ended is no longer running", () => {
  let tally = startTrial(startTally(plan, [], 0), { case: "a", trial: 1, since: 0 });
  tally = startTrial(tally, { case: "a", trial: 2, since: 0 });
  expect(endTrial(tally, sampleTrial({ case: "a", trial: 1 })).running).toMatchObject([{ trial: 2 }]);
});
