/** A short summary of an invocation. Lists are created from these summaries, without reading all trials. */
import { z } from "zod";
import { testCostSchema } from "./trial-result.ts";

const count = z.int().nonnegative();

export const caseOutcomes = ["passed", "failed", "errored", "not-run"] as const;
export type CaseOutcome = (typeof caseOutcomes)[number];

/** The headline that is written when an invocation ends, so that a list reads only two lines of each file. */
export const headlineSchema = z.strictObject({
  /** The running time, without pauses. */
  durationMs: z.number(),
  passed: count,
  failed: count,
  errored: count,
  notRun: count,
  /** The share of scored trials that passed. */
  passRate: z.number().min(0).max(1),
  /** The cost; `null` if a part of it is not known. */
  cost: testCostSchema.nullable(),
  /** The cases in the order of the file. */
  cases: z.array(z.strictObject({ name: z.string(), outcome: z.enum(caseOutcomes), flaky: z.boolean() })),
});
export type Headline = z.output<typeof headlineSchema>;
