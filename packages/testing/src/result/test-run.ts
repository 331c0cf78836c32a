/** A whole invocation, computed from its events. `--json` prints it, and every report is created from it. */
import { z } from "zod";
import { caseOutcomes, headlineSchema } from "./headline.ts";
import { stopSchema } from "./test-event.ts";
import { testPlanSchema } from "./test-plan.ts";
import { directionSchema, testCostSchema, testUsageSchema, trialResultSchema, unitSchema } from "./trial-result.ts";

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);

/** The interval that contains the true value in about 95 of 100 experiments; `null` if there are too few values. */
export const intervalSchema = z.strictObject({ low: z.number(), high: z.number() }).nullable();

/** A metric over all of its scores, including zeros. `errored` counts the uses without a score. */
const metricSummarySchema = z.strictObject({
  name: z.string(),
  unit: unitSchema,
  passes: directionSchema,
  /** The threshold; `null` if it is not the same everywhere. */
  threshold: z.number().nullable(),
  /** The mean; `null` without a score. */
  mean: z.number().nullable(),
  /** The interval of the mean, by the bootstrap; `null` with fewer than six scores, or if all are equal. */
  interval: intervalSchema,
  /** The sample standard deviation; `null` with fewer than two scores. */
  deviation: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  scores: count,
  passed: count,
  failed: count,
  errored: count,
});

/** The number of trials, k, from 1 upward. */
const trialStatisticsSchema = z.array(
  z.strictObject({
    k: z.int().positive(),
    /** The chance that at least one of k trials passes: 1 - C(n-c, k) / C(n, k). */
    passAtK: share,
    /** The chance that all of k trials pass: C(c, k) / C(n, k). */
    passHatK: share,
  }),
);

export const caseResultSchema = z.strictObject({
  name: z.string(),
  /**
   * `failed`: a trial failed. `errored`: no trial failed, but the host did in one. `not-run`: none of these, but trials are missing.
   * `passed`: every trial passed.
   */
  outcome: z.enum(caseOutcomes),
  /** Whether some trials passed, and some failed. */
  flaky: z.boolean(),
  passed: count,
  /** The number of trials that passed or failed. Errored trials are not included. */
  trialsJudged: count,
  /** The statistics for k up to the number of scored trials. */
  statistics: trialStatisticsSchema,
  metrics: z.array(metricSummarySchema),
  /** The trials in the order of their numbers. */
  trials: z.array(trialResultSchema),
});

const summarySchema = z.strictObject({
  cases: count,
  passed: count,
  failed: count,
  errored: count,
  notRun: count,
  flaky: count,
  /** The share of scored trials that passed; 0 without a scored trial. */
  passRate: share,
  /** The interval of the pass rate, by Wilson's formula; `null` without a scored trial. */
  passRateInterval: intervalSchema,
  /** For each k, the mean over the cases with at least k scored trials. */
  statistics: trialStatisticsSchema,
  metrics: z.array(metricSummarySchema),
  /** The usage of the trials whose results are used. A trial that ran again is included once. */
  usage: testUsageSchema,
  /** The cost; `null` if a part of it is not known. */
  cost: testCostSchema.nullable(),
  /** The usage of judges only. `usage` and `cost` include it. */
  judges: z.strictObject({ usage: testUsageSchema, cost: testCostSchema.nullable() }),
});

const testRunStates = ["running", "finished", "unfinished"] as const;

export const testRunSchema = z.strictObject({
  id: z.string(),
  startedAt: z.iso.datetime(),
  /** The end; `null` if the invocation is running or its process died. */
  endedAt: z.iso.datetime().nullable(),
  /** The running time, without the pause before a resumption. */
  durationMs: z.number(),
  resumed: count,
  /** `unfinished`: interrupted, stopped or killed; --resume finishes it. `running`: a living process runs it. */
  state: z.enum(testRunStates),
  stop: stopSchema.nullable(),
  plan: testPlanSchema,
  summary: summarySchema,
  cases: z.array(caseResultSchema),
});

/** An entry of `bridle test history`. */
export const testRunHeadlineSchema = z.strictObject({
  id: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  state: z.enum(testRunStates),
  stop: stopSchema.nullable(),
  /** The name of the agent. */
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
export type TestInterval = z.output<typeof intervalSchema>;
export type MetricSummary = z.output<typeof metricSummarySchema>;
export type TrialStatistics = z.output<typeof trialStatisticsSchema>;
export type CaseResult = z.output<typeof caseResultSchema>;
export type TestSummary = z.output<typeof summarySchema>;
export type TestRun = z.output<typeof testRunSchema>;
