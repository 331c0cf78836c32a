import { z } from "zod";

/** The questions and usage of a stage. */
export const stageUseSchema = z.object({
  /** The stage, such as `triage`. */
  stage: z.string(),
  /** The number of model calls in this run. */
  calls: z.int(),
  failedCalls: z.int(),
  /** The number of questions with an answer stored by an earlier run. */
  stored: z.int(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** The cost in US dollars; undefined if unknown. */
  costUsd: z.number().optional(),
  /** The time from the start of the first call to the end of the last call, in milliseconds. */
  durationMs: z.number(),
});
export type StageUse = z.output<typeof stageUseSchema>;
