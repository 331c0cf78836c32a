/** Tests that a score just below its threshold is visibly below it in reports. */
import { expect, test } from "vitest";
import { foldTestRun } from "../log/fold-test-run.ts";
import { metricOf, planOf, trialOf } from "../log/results-for-tests.ts";
import { report } from "./report.ts";

function runWith(score: number) {
  const outcome = score < 0.8 ? "failed" : "passed";
  const metric = metricOf({ name: "narrow", score, threshold: 0.8, outcome });
  const result = trialOf({ outcome, turn: { metrics: [metric] } });
  const plan = planOf({ cases: ["order"] });
  return foldTestRun([
    { type: "begun", version: 1, time: 0, id: "20261122-071501-aaaa", plan },
    { type: "trial", time: 10, result },
  ]);
}

/** Returns the figures after the metric's name, without markup. */
function figuresOf(score: number, form: "markdown" | "junit" | "html"): string[] {
  const text = report(runWith(score), form)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#x3e;", ">");
  return [...text.matchAll(/narrow\b[^≥]{0,80}?(\d\.\d+)[^≥]{0,80}≥ *(\d\.\d+)/g)].map(
    ([, shown, limit]) => `${shown} ≥ ${limit}`,
  );
}

test.each(["markdown", "junit", "html"] as const)("a report in %s shows that 0.79996 is below 0.80", (form) => {
  const narrow = figuresOf(0.79996, form);
  expect(narrow.length).toBeGreaterThan(0);
  expect(new Set(narrow)).toEqual(new Set(["0.79996 ≥ 0.80"]));
  expect(new Set(figuresOf(0.8, form))).toEqual(new Set(["0.80 ≥ 0.80"]));
});
