import { omitUndefined, type RunResult, runResultSchema } from "@bridle/core";
import { z } from "zod";

/** The result of a run with its session, as `bridle run --json` prints it. */
export const runReportSchema = runResultSchema.extend({ sessionId: z.string().optional() });
export type RunReport = z.output<typeof runReportSchema>;

export function reportRun(result: RunResult, sessionId: string | undefined): RunReport {
  return { ...result, ...omitUndefined({ sessionId }) };
}
