/** The differences between two invocations, as `bridle test compare --json` prints them. */
import { z } from "zod";
import { caseOutcomes } from "../result/headline.ts";
import { intervalSchema, testRunHeadlineSchema } from "../result/test-run.ts";
import { directionSchema, unitSchema } from "../result/trial-result.ts";

const caseChanges = [
  "fixed", // failed before, and passes now
  "broken", // passed before, and fails now
  "still-failing",
  "still-passing",
  "added", // only in the later invocation
  "removed", // only in the earlier invocation
  "not-compared", // in one of the two, the case did not finish, or the host failed
] as const;

/** `null` if the value does not exist or is not known. `delta` is after minus before, or `null` if one of them is. */
const figureSchema = z.strictObject({
  before: z.number().nullable(),
  after: z.number().nullable(),
  delta: z.number().nullable(),
});

const verdicts = ["better", "worse", "unclear"] as const;

/** How certain a change is. */
const certaintyShape = {
  /** The interval of `delta` that contains the true change in about 95 of 100 experiments; `null` if too little is known. */
  interval: intervalSchema,
  /** `unclear`: the change may be noise, because 0 is in the interval or the interval is missing. `null` without a `delta`. */
  verdict: z.enum(verdicts).nullable(),
};

const metricChangeSchema = z.strictObject({
  name: z.string(),
  unit: unitSchema,
  passes: directionSchema,
  mean: figureSchema,
  ...certaintyShape,
});

/** A unified diff: ` `, `-` or `+` before each line, and `@@` between separate parts. */
const unifiedLinesSchema = z.array(z.string());

const caseComparisonSchema = z.strictObject({
  name: z.string(),
  change: z.enum(caseChanges),
  /** `null` if that invocation has no such case. */
  before: z.enum(caseOutcomes).nullable(),
  after: z.enum(caseOutcomes).nullable(),
  /** The share of scored trials that passed. */
  passRate: figureSchema,
  metrics: z.array(metricChangeSchema),
  /** The means over the trials, for the agent alone, without judges. */
  steps: figureSchema,
  durationMs: figureSchema,
  costUsd: figureSchema,
  /** If the outcome changed, the first trials that show this, and the difference between their transcripts. */
  transcript: z
    .strictObject({ beforeTrial: z.int().positive(), afterTrial: z.int().positive(), lines: unifiedLinesSchema })
    .nullable(),
});

const comparedRunSchema = testRunHeadlineSchema.omit({ cases: true });

export const comparisonSchema = z.strictObject({
  before: comparedRunSchema,
  after: comparedRunSchema,
  /** Explains why figures may be misleading. */
  warnings: z.array(z.string()),
  /** Differences between the plans, such as `{ what: "model", before: "a", after: "b" }`. */
  differences: z.array(
    z.strictObject({ what: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** The difference between the agents' configurations; empty if they are the same. */
  configuration: unifiedLinesSchema,
  passRate: figureSchema.extend(certaintyShape),
  /** The running time of the invocations. */
  durationMs: figureSchema,
  costUsd: figureSchema,
  /** The metrics by name, over all cases. */
  metrics: z.array(metricChangeSchema),
  /** The regressions, one sentence for each case. With `--fail-on regression`, the command exits with 1 if the list is not empty. */
  regressions: z.array(z.string()),
  /** The cases in the order of the later file, followed by removed cases. */
  cases: z.array(caseComparisonSchema),
});

export type CaseChange = (typeof caseChanges)[number];
export type Figure = z.output<typeof figureSchema>;
export type Verdict = (typeof verdicts)[number];
export type MetricChange = z.output<typeof metricChangeSchema>;
export type CaseComparison = z.output<typeof caseComparisonSchema>;
export type Comparison = z.output<typeof comparisonSchema>;
