import { z } from "zod";

/** The questions and usage of a stage. */
export const stageUseSchema = z.object({
  /** For example `triage`. */
  stage: z.string(),
  /** Calls of the model in this run. */
  calls: z.int(),
  failedCalls: z.int(),
  /** Questions with an answer stored by an earlier run. */
  stored: z.int(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars; undefined if unknown. */
  costUsd: z.number().optional(),
  /** From the first call to the end of the last one, in milliseconds. */
  durationMs: z.number(),
});
export type StageUse = z.output<typeof stageUseSchema>;
