import { passes, shorten } from "@bridle/metrics";
import type { MetricScore } from "@bridle/protocol";
import { z } from "zod";
import { MetricError } from "../result/planned-metric.ts";

const reason = z.string().optional();
const share = z.number().min(0).max(1);

const gradeSchema = z.union([
  share.transform((score) => ({ score })),
  z.boolean().transform((passed) => ({ score: passed ? 1 : 0 })),
  z.strictObject({ score: share, reason, passed: z.boolean().optional() }),
  z
    .strictObject({ passed: z.boolean(), reason })
    .transform(({ passed, ...rest }) => ({ score: passed ? 1 : 0, ...rest })),
]);

/** Returns the score in a grader's result. Throws MetricError if the result is not a grade. */
export function readGrade(
  given: unknown,
  { file, function: exported }: { readonly file: string; readonly function: string },
  threshold: number,
): MetricScore {
  const parsed = gradeSchema.safeParse(given);
  if (!parsed.success) {
    const accepted = "Return a number from 0 to 1, true or false, or { score, reason }";
    throw new MetricError(`${exported} of ${file} returned ${format(given)}, which is not a grade. ${accepted}.`);
  }
  const { passed, reason: why, score } = { passed: undefined, reason: undefined, ...parsed.data };
  if (passed !== undefined && passed !== passes(score, threshold, "at-least")) {
    const sides = `passed: ${passed} with the score ${score}, but the threshold is ${threshold}`;
    throw new MetricError(`${exported} of ${file} returned ${sides}. Correct one of them, or return no "passed".`);
  }
  return { score, reason: why };
}

function format(given: unknown): string {
  if (typeof given === "function" || typeof given === "symbol" || given === undefined) return typeof given;
  if (typeof given === "number" || typeof given === "bigint") return String(given);
  try {
    return shorten(JSON.stringify(given), 200);
  } catch {
    return "a value that is not JSON";
  }
}
