import type { RunEvent } from "../events/events.ts";
import { addNestedTotals, type NestedTotals, noNestedTotals } from "../events/nested-events.ts";
import { addCost, addUsage, type Cost, noCost, noUsage, type Usage } from "../usage/usage.ts";

/** The sums over a session's runs that have ended. */
export interface SessionTotals {
  runs: number;
  steps: number;
  toolCalls: number;
  usage: Usage;
  /** The cost. Marked as `partial` if the cost of a run is not known; missing if no part is known. */
  cost?: Cost;
  /** The usage of the runs that tools of the session started in separate sessions. Missing if there were none. */
  nested?: NestedTotals;
}

export const noTotals: SessionTotals = { runs: 0, steps: 0, toolCalls: 0, usage: noUsage, cost: noCost };

/** Adds one event to the totals. Pure. */
export function addToTotals(totals: SessionTotals, event: RunEvent): SessionTotals {
  if (event.type !== "run.finished") return totals;
  const { result } = event;
  const cost = addCost(totals.cost, result.cost);
  const nested = result.nested ? addNestedTotals(totals.nested ?? noNestedTotals, result.nested) : totals.nested;
  return {
    runs: totals.runs + 1,
    steps: totals.steps + result.steps,
    toolCalls: totals.toolCalls + result.toolCalls,
    usage: addUsage(totals.usage, result.usage),
    ...(cost === undefined ? {} : { cost }),
    ...(nested === undefined ? {} : { nested }),
  };
}
