/** How two invocations differ: what `bridle test compare --json` prints. */
import { z } from "zod";
import { caseOutcomes } from "../result/headline.ts";
import { testRunHeadlineSchema } from "../result/test-run.ts";
import { directionSchema, unitSchema } from "../result/trial-result.ts";

const caseChanges = [
  "fixed", // failed, and passes now
  "broken", // passed, and fails now
  "still-failing",
  "still-passing",
  "added", // the earlier invocation had no such case
  "removed", // the later one has none
  "not-compared", // in one of the two it did not run to its end, or the host failed
] as const;

/** `null` where there is none, or it is not known; `delta` is after minus before, `null` where one is. */
const figureSchema = z.strictObject({
  before: z.number().nullable(),
  after: z.number().nullable(),
  delta: z.number().nullable(),
});

const metricChangeSchema = z.strictObject({
  name: z.string(),
  unit: unitSchema,
  passes: directionSchema,
  mean: figureSchema,
});

/** Unified: ` `, `-` or `+` before each line, and `@@` between parts that are apart. */
const unifiedLinesSchema = z.array(z.string());

const caseComparisonSchema = z.strictObject({
  name: z.string(),
  change: z.enum(caseChanges),
  /** `null` where that invocation has no such case. */
  before: z.enum(caseOutcomes).nullable(),
  after: z.enum(caseOutcomes).nullable(),
  /** Of trials that were judged. */
  passRate: figureSchema,
  metrics: z.array(metricChangeSchema),
  /** Of a trial, on average: what the agent took, without judges. */
  steps: figureSchema,
  durationMs: figureSchema,
  costUsd: figureSchema,
  /** Where the outcome changed: the first trials that show it, and how what was said and done differs. */
  transcript: z
    .strictObject({ beforeTrial: z.int().positive(), afterTrial: z.int().positive(), lines: unifiedLinesSchema })
    .nullable(),
});

const comparedRunSchema = testRunHeadlineSchema.omit({ cases: true });

export const comparisonSchema = z.strictObject({
  before: comparedRunSchema,
  after: comparedRunSchema,
  /** Why figures may not mean what they seem to. */
  warnings: z.array(z.string()),
  /** What was tested otherwise, such as `{ what: "model", before: "a", after: "b" }`. */
  differences: z.array(
    z.strictObject({ what: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** Of the agent's configuration; empty where it is the same. */
  configuration: unifiedLinesSchema,
  passRate: figureSchema,
  /** The time that the invocations ran. */
  durationMs: figureSchema,
  costUsd: figureSchema,
  /** Over all cases, of metrics by name. */
  metrics: z.array(metricChangeSchema),
  /** In the order of the later file; then those that it has no longer. */
  cases: z.array(caseComparisonSchema),
});

export type CaseChange = (typeof caseChanges)[number];
export type Figure = z.output<typeof figureSchema>;
export type MetricChange = z.output<typeof metricChangeSchema>;
export type CaseComparison = z.output<typeof caseComparisonSchema>;
export type Comparison = z.output<typeof comparisonSchema>;
