/** The differences between two invocations, as `bridle test compare --json` prints them. */
import { z } from "zod";
import { caseOutcomes } from "../result/headline.ts";
import { intervalSchema, testRunHeadlineSchema } from "../result/test-run.ts";
import { directionSchema, unitSchema } from "../result/trial-result.ts";

const caseChanges = [
  "fixed", // failed, and passes now
  "broken", // passed, and fails now
  "still-failing",
  "still-passing",
  "added", // the earlier invocation had no such case
  "removed", // the later one has none
  "not-compared", // in one of the two it did not finish, or the host failed
] as const;

/** `null`: there is none, or it is not known. `delta` is after minus before, or `null` if one of them is. */
const figureSchema = z.strictObject({
  before: z.number().nullable(),
  after: z.number().nullable(),
  delta: z.number().nullable(),
});

const verdicts = ["better", "worse", "unclear"] as const;

/** How sure a change is. */
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

/** Unified: ` `, `-` or `+` before each line, and `@@` between separate parts. */
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
  /** The mean of the trials: the agent alone, without judges. */
  steps: figureSchema,
  durationMs: figureSchema,
  costUsd: figureSchema,
  /** If the outcome changed: the first trials that show it, and the difference of their transcripts. */
  transcript: z
    .strictObject({ beforeTrial: z.int().positive(), afterTrial: z.int().positive(), lines: unifiedLinesSchema })
    .nullable(),
});

const comparedRunSchema = testRunHeadlineSchema.omit({ cases: true });

export const comparisonSchema = z.strictObject({
  before: comparedRunSchema,
  after: comparedRunSchema,
  /** Why figures may be misleading. */
  warnings: z.array(z.string()),
  /** Differences between the plans, such as `{ what: "model", before: "a", after: "b" }`. */
  differences: z.array(
    z.strictObject({ what: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** The difference of the agent's configuration; empty if it is the same. */
  configuration: unifiedLinesSchema,
  passRate: figureSchema.extend(certaintyShape),
  /** The running time of the invocations. */
  durationMs: figureSchema,
  costUsd: figureSchema,
  /** The metrics by name, over all cases. */
  metrics: z.array(metricChangeSchema),
  /** The regressions, one sentence for each case. `--fail-on regression` exits with 1 if the list is not empty. */
  regressions: z.array(z.string()),
  /** In the order of the later file; then removed cases. */
  cases: z.array(caseComparisonSchema),
});

export type CaseChange = (typeof caseChanges)[number];
export type Figure = z.output<typeof figureSchema>;
export type Verdict = (typeof verdicts)[number];
export type MetricChange = z.output<typeof metricChangeSchema>;
export type CaseComparison = z.output<typeof caseComparisonSchema>;
export type Comparison = z.output<typeof comparisonSchema>;
