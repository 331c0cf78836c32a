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

test("a failure is in the group of its own metric, even if its message contains the names of others", () => {
  const [first] = run.cases;
  const [trial] = first?.trials ?? [];
  const [turn] = trial?.turns ?? [];
  const [metric] = turn?.metrics ?? [];
  if (!first || !trial || !turn || !metric) throw new Error("the sample has no metric");
  const metrics = ["relevance", "answer relevance", "answer relevance: strict"].map((name) => ({ ...metric, name }));
  const failing = (message: string, kind: "metric" | "metric-error" = "metric") => ({
    kind,
    message,
    turn: 1,
    expected: null,
    received: null,
    code: null,
  });
  const failures = [
    failing("answer relevance: expected ≥ 0.7, got 0.4. It has no relevance."),
    failing("answer relevance: strict: expected ≥ 0.7, got 0.4."),
    failing("answer relevance could not run: relevance has no model.", "metric-error"),
  ];
  const cases = [{ ...first, trials: [{ ...trial, turns: [{ ...turn, metrics }], failures }] }];
  expect(groupReasons({ cases }).map(({ name }) => name)).toEqual([
    "Metric: answer relevance",
    "Metric: answer relevance: strict",
    "Metric could not run: answer relevance",
  ]);
});

test("a page says what makes the difference to the previous run doubtful, and does not call a case new that was left out", () => {
  const [first] = run.cases;
  if (!first) throw new Error("the sample has no cases");
  const script = { ...run, cases: [first], plan: { ...run.plan, cases: [first.name], rehearsal: "script.yaml" } };
  const page = htmlReport(run, compareTestRuns({ ...script, id: "before" }, run));
  expect(page).toContain("before was a rehearsal: its answers come from a script, not from a model.");
  expect(page).toContain('Not in the previous run <span class="muted">39<');
  expect(page).not.toMatch(/>New\b/);
});

test("a page marks the cases that newly fail, were fixed or did not run before, and their reasons", () => {
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
