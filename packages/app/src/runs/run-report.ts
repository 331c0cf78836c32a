import { omitUndefined, type RunResult, runResultSchema } from "@bridle/protocol";
import { z } from "zod";

/** The result of a run with its session, as `bridle run --json` prints it. */
export const runReportSchema = runResultSchema.extend({ sessionId: z.string().optional() });

export function reportRun(
  result: RunResult,
  sessionId: string | undefined,
): RunResult & { readonly sessionId?: string } {
  return { ...result, ...omitUndefined({ sessionId }) };
}
