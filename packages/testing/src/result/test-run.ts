/** An invocation as a whole, folded from its events. This is what `--json` prints, and what every report is made from. */
import { z } from "zod";
import { caseOutcomes, headlineSchema } from "./headline.ts";
import { stopSchema } from "./test-event.ts";
import { testPlanSchema } from "./test-plan.ts";
import { directionSchema, testCostSchema, testUsageSchema, trialResultSchema, unitSchema } from "./trial-result.ts";

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);

/** A metric over all its scores, zeros among them. What could not run has no score, and is counted in `errored`. */
const metricSummarySchema = z.strictObject({
  name: z.string(),
  unit: unitSchema,
  passes: directionSchema,
  /** `null` where it is not the same everywhere. */
  threshold: z.number().nullable(),
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

/** For k from 1 upward. */
const trialStatisticsSchema = z.array(
  z.strictObject({
    k: z.int().positive(),
    /** At least one of k trials passes: 1 - C(n-c, k) / C(n, k). */
    passAtK: share,
    /** All of k trials pass: C(c, k) / C(n, k). */
    passHatK: share,
  }),
);

const caseResultSchema = z.strictObject({
  name: z.string(),
  /**
   * `failed`: a trial did. `errored`: none failed, but the host failed in one. `not-run`: otherwise, trials are missing.
   * `passed`: every trial did.
   */
  outcome: z.enum(caseOutcomes),
  /** Some trials passed, and some failed. */
  flaky: z.boolean(),
  passed: count,
  /** Those that gave an answer, right or wrong: errored ones do not count. */
  trialsJudged: count,
  /** Up to the number of trials that were judged. */
  statistics: trialStatisticsSchema,
  metrics: z.array(metricSummarySchema),
  /** By number. */
  trials: z.array(trialResultSchema),
});

const summarySchema = z.strictObject({
  cases: count,
  passed: count,
  failed: count,
  errored: count,
  notRun: count,
  flaky: count,
  /** Of trials that were judged; 0 where none was. */
  passRate: share,
  /** For each k the mean over the cases with that many judged trials or more. */
  statistics: trialStatisticsSchema,
  metrics: z.array(metricSummarySchema),
  /** Of the trials that count: what was run anew after a failure of the host is not in it twice. */
  usage: testUsageSchema,
  /** `null` where a part of it is not known. */
  cost: testCostSchema.nullable(),
  /** Of judges alone; in `usage` and `cost`, too. */
  judges: z.strictObject({ usage: testUsageSchema, cost: testCostSchema.nullable() }),
});

const testRunStates = ["running", "finished", "unfinished"] as const;

export const testRunSchema = z.strictObject({
  id: z.string(),
  startedAt: z.iso.datetime(),
  /** `null` while it goes on, and where its process died. */
  endedAt: z.iso.datetime().nullable(),
  /** The time that it ran, without pauses between an end and a resumption. */
  durationMs: z.number(),
  resumed: count,
  /** `unfinished`: interrupted, stopped or killed, and to be finished with --resume. `running`: by a living process. */
  state: z.enum(testRunStates),
  stop: stopSchema.nullable(),
  plan: testPlanSchema,
  summary: summarySchema,
  cases: z.array(caseResultSchema),
});

/** What `bridle test history` tells of an invocation. */
export const testRunHeadlineSchema = z.strictObject({
  id: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  state: z.enum(testRunStates),
  stop: stopSchema.nullable(),
  /** Its name. */
  agent: z.string(),
  backend: z.string(),
  model: z.string(),
  rehearsal: z.string().nullable(),
  trials: z.int().positive(),
  /** The version of the instructions. */
  instructions: z.string(),
  git: testPlanSchema.shape.git,
  ...headlineSchema.shape,
});

export type TestRunHeadline = z.output<typeof testRunHeadlineSchema>;
export type MetricSummary = z.output<typeof metricSummarySchema>;
export type TrialStatistics = z.output<typeof trialStatisticsSchema>;
export type CaseResult = z.output<typeof caseResultSchema>;
export type TestSummary = z.output<typeof summarySchema>;
export type TestRun = z.output<typeof testRunSchema>;
