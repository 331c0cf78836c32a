/** Events about runs that a tool call starts, such as the run of another agent. They are in the log of the calling run. */
import { z } from "zod";
import { addCost, addUsage, costSchema, noCost, noUsage, usageSchema } from "../usage/usage.ts";
import { stopReasonSchema } from "./stop-reason.ts";

const count = z.int().nonnegative();

/** The usage of nested runs, at every depth. Each run and each request is counted once. */
export const nestedTotalsSchema = z.strictObject({
  runs: count,
  steps: count,
  toolCalls: count,
  usage: usageSchema,
  /** The cost. Marked as `partial` if the cost of a request is not known; missing if no part is known. */
  cost: costSchema.optional(),
});
export type NestedTotals = z.infer<typeof nestedTotalsSchema>;

export const noNestedTotals: NestedTotals = { runs: 0, steps: 0, toolCalls: 0, usage: noUsage, cost: noCost };

export function addNestedTotals(a: NestedTotals, b: NestedTotals): NestedTotals {
  const cost = addCost(a.cost, b.cost);
  return {
    runs: a.runs + b.runs,
    steps: a.steps + b.steps,
    toolCalls: a.toolCalls + b.toolCalls,
    usage: addUsage(a.usage, b.usage),
    ...(cost === undefined ? {} : { cost }),
  };
}

export const nestedEvents = {
  /** A call has started a run. The events of that run are in its own session. */
  "nested.started": z.strictObject({
    callId: z.string(),
    nestedRunId: z.string(),
    nestedSessionId: z.string().optional(),
    /** The name of the agent. */
    agent: z.string().optional(),
    backend: z.string(),
    model: z.string(),
  }),
  /** The nested run has ended. `totals` includes the runs that it started itself. */
  "nested.finished": z.strictObject({
    callId: z.string(),
    nestedRunId: z.string(),
    stopReason: stopReasonSchema,
    totals: nestedTotalsSchema,
  }),
};
