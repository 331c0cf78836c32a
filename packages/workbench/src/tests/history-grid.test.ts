import { expect, test } from "vitest";
import { buildHistory, estimateCost, type ListedTestRun } from "./history-grid.ts";

const bare: ListedTestRun = {
  id: "20261127-020000-aaaa",
  startedAt: "2026-11-27T02:00:00Z",
  endedAt: null,
  state: "finished",
  stop: null,
  agent: "desk",
  backend: "anthropic",
  model: "large",
  rehearsal: null,
  trials: 1,
  instructions: "v1",
  git: null,
  durationMs: 1,
  passed: 1,
  failed: 1,
  errored: 0,
  notRun: 0,
  passRate: 0.5,
  cost: null,
  cases: [],
};

test("a case that fails in its newest invocation comes first, and has an empty cell where it was not planned", () => {
  const newest = { ...bare, cases: [{ name: "Greets", outcome: "passed", flaky: false } as const] };
  const older = {
    ...bare,
    cases: [
      { name: "Greets", outcome: "failed", flaky: false } as const,
      { name: "Refunds", outcome: "errored", flaky: true } as const,
    ],
  };
  const rows = buildHistory([newest, older]);
  expect(rows.map(({ name }) => name)).toEqual(["Refunds", "Greets"]);
  expect(rows[0]?.cells.map((cell) => cell?.outcome)).toEqual([undefined, "errored"]);
});

test("the cost of the next invocation is estimated from the last real one, and not from a rehearsal", () => {
  const rehearsed = { ...bare, rehearsal: "rehearsal.yaml", cost: { usd: 0, estimate: true } };
  const real = { ...bare, trials: 2, cost: { usd: 0.4, estimate: false } };
  expect(estimateCost([rehearsed, real], 3, 5)).toBeCloseTo(1.5);
  expect(estimateCost([rehearsed], 3, 5)).toBeUndefined();
});
