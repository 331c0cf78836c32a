/** An invocation in few words: what a list of many shows of each, without reading what all of its trials did. */
import { z } from "zod";
import { testCostSchema } from "./trial-result.ts";

const count = z.int().nonnegative();

export const caseOutcomes = ["passed", "failed", "errored", "not-run"] as const;
export type CaseOutcome = (typeof caseOutcomes)[number];

/** Written when an invocation ends, so that a list of hundreds reads two lines of each. */
export const headlineSchema = z.strictObject({
  /** The time that it ran, without pauses. */
  durationMs: z.number(),
  passed: count,
  failed: count,
  errored: count,
  notRun: count,
  /** Of trials that were judged. */
  passRate: z.number().min(0).max(1),
  /** `null` where a part of it is not known. */
  cost: testCostSchema.nullable(),
  /** In the order of the file. */
  cases: z.array(z.strictObject({ name: z.string(), outcome: z.enum(caseOutcomes), flaky: z.boolean() })),
});
export type Headline = z.output<typeof headlineSchema>;
