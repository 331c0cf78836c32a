/** An invocation as a whole, folded from its events. This is what `--json` prints, and what every report is made from. */
import { z } from "zod";
import { stopSchema } from "./test-event.ts";
import { testPlanSchema } from "./test-plan.ts";
import { costSchema, trialResultSchema, usageSchema } from "./trial-result.ts";

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);

/** A metric over all its scores, zeros among them. What could not run has no score, and is counted in `errored`. */
export const metricSummarySchema = z.strictObject({
  name: z.string(),
  unit: z.enum(["seconds", "usd", "steps"]).nullable(),
  /** `null` where no score was given. */
  mean: z.number().nullable(),
  /** The sample standard deviation; `null` with fewer than two scores. */
  deviation: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  scores: count,
  passed: count,
  failed: count,
  errored: count,
});

/** For k from 1 to the number of trials. */
export const trialStatisticsSchema = z.array(
  z.strictObject({
    k: z.int().positive(),
    /** At least one of k trials passes: 1 - C(n-c, k) / C(n, k). */
    passAtK: share,
    /** All of k trials pass: C(c, k) / C(n, k). */
    passHatK: share,
  }),
);

export const caseOutcomes = ["passed", "failed", "errored", "not-run"] as const;

export const caseResultSchema = z.strictObject({
  name: z.string(),
  /** `passed`: every trial did. `errored`: none failed, but the host failed in one. `not-run`: trials are missing. */
  outcome: z.enum(caseOutcomes),
  /** Some trials passed, and some did not. */
  flaky: z.boolean(),
  passed: count,
  /** Those that gave an answer, right or wrong: errored ones do not count. */
  trialsJudged: count,
  statistics: trialStatisticsSchema,
  metrics: z.array(metricSummarySchema),
  /** By number. */
  trials: z.array(trialResultSchema),
});

export const summarySchema = z.strictObject({
  cases: count,
  passed: count,
  failed: count,
  errored: count,
  notRun: count,
  flaky: count,
  /** Of trials that were judged; 0 where none was. */
  passRate: share,
  /** The mean over all cases with as many judged trials. */
  statistics: trialStatisticsSchema,
  metrics: z.array(metricSummarySchema),
  usage: usageSchema,
  /** `null` where a part of it is not known. */
  cost: costSchema.nullable(),
  /** Of judges alone; in `usage` and `cost`, too. */
  judges: z.strictObject({ usage: usageSchema, cost: costSchema.nullable() }),
});

export const testRunSchema = z.strictObject({
  id: z.string(),
  startedAt: z.iso.datetime(),
  /** `null` while it goes on, and where its process died. */
  endedAt: z.iso.datetime().nullable(),
  /** The time that it ran, without pauses between an end and a resumption. */
  durationMs: z.number(),
  resumed: count,
  /** `unfinished`: interrupted or stopped, and to be finished with --resume. `running` is told by whoever holds its lock. */
  state: z.enum(["finished", "unfinished"]),
  stop: stopSchema.nullable(),
  plan: testPlanSchema,
  summary: summarySchema,
  cases: z.array(caseResultSchema),
});

export type MetricSummary = z.output<typeof metricSummarySchema>;
export type TrialStatistics = z.output<typeof trialStatisticsSchema>;
export type CaseResult = z.output<typeof caseResultSchema>;
export type CaseOutcome = (typeof caseOutcomes)[number];
export type TestSummary = z.output<typeof summarySchema>;
export type TestRun = z.output<typeof testRunSchema>;
