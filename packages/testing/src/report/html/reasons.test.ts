import { expect, test } from "vitest";
import { compareTestRuns } from "../../compare/compare-test-runs.ts";
import { sampleRun } from "../sample-run-for-tests.ts";
import { htmlReport } from "./page.ts";
import { groupReasons } from "./reasons.ts";

const run = sampleRun({ cases: 40 });

test("failures are grouped by metric and by kind, with an example, the largest group first", () => {
  const groups = groupReasons(run);
  expect(groups[0]).toMatchObject({
    name: 'Metric: contains "shipped"',
    example: 'contains "shipped": expected ≥ 1, got 0.',
  });
  const sizes = groups.map(({ cases }) => cases.length);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  const failed = run.cases.filter(({ trials }) => trials.some(({ failures }) => failures.length > 0));
  expect(new Set(groups.flatMap(({ cases }) => cases))).toEqual(new Set(failed));
});

test("a page marks the cases that newly fail, were fixed or are new, and their reasons", () => {
  const [first, second, ...others] = run.cases;
  if (!first || !second) throw new Error("the sample has no cases");
  const failedBefore = { ...first, outcome: "failed" as const };
  const page = htmlReport(run, compareTestRuns({ ...run, cases: [failedBefore, ...others] }, run));
  expect(page).toContain("Since the previous run");
  expect(page).toMatch(/id="case-1" data-outcome="passed"[^>]* data-change="fixed"/);
  expect(page).toMatch(/id="case-2"[^>]* data-change="added"/);
  expect(page).toMatch(/data-filter="change-fixed" aria-pressed="false">Fixed <span class="muted">1</);
  expect(page).toMatch(/data-reasons="\d/);
  expect(htmlReport(run)).not.toContain("Since the previous run");
});
