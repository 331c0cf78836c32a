import { expect, test } from "vitest";
import type { RunEvent, RunResult } from "../events/events.ts";
import { type Cost, noCost, noUsage } from "../usage/usage.ts";
import { addToTotals, noTotals } from "./session-totals.ts";

const cent: Cost = { usd: 0.01, estimate: false };

function ended(cost: Cost | undefined): RunEvent {
  const counts = { steps: 1, toolCalls: 0, toolFailures: 0, usage: { ...noUsage, outputTokens: 5 } };
  const result: RunResult = { stopReason: "natural", text: "", ...counts, ...(cost && { cost }) };
  return { type: "run.finished", seq: 1, time: 0, runId: "a", result, durationMs: 1 };
}

test.each<[string, (Cost | undefined)[], Cost | undefined]>([
  ["no runs is nothing", [], noCost],
  ["priced runs is their sum", [cent, cent], { ...cent, usd: 0.02 }],
  ["a priced run and one of a model without a price is a part", [cent, undefined], { ...cent, partial: true }],
  ["a run of a model without a price and a priced one is a part", [undefined, cent], { ...cent, partial: true }],
  ["runs without a price is not known", [undefined, undefined], undefined],
  [
    "a stopped run with a known part is a part",
    [{ ...cent, partial: true }, cent],
    { ...cent, usd: 0.02, partial: true },
  ],
  ["a run that sent nothing and a priced one is complete", [noCost, cent], cent],
])("the cost of a session with %s", (_title, costs, expected) => {
  const totals = costs.map(ended).reduce(addToTotals, noTotals);
  expect(totals.cost).toEqual(expected);
  expect(totals).toMatchObject({ runs: costs.length, steps: costs.length });
});
