/** What came of one trial of one case: everything that is needed to explain it. */
import { z } from "zod";
import { entrySchema } from "./call.ts";

const count = z.int().nonnegative();

export const testUsageSchema = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
});

export const testCostSchema = z.strictObject({ usd: z.number(), estimate: z.boolean() });

/** Why a trial did not pass. */
export const failureKinds = [
  "empty-answer", // the agent said nothing
  "no-checks", // neither a metric nor expected tools: nothing was tested
  "expected-tools", // calls that should have been made were not, or otherwise
  "unknown-tool", // expected_tools names one that the agent does not have
  "tool-denied", // a call was denied that nobody expected to be
  "metric", // a score is not what it has to be
  "metric-error", // a metric could not run
  "out-of-steps", // the agent used up its budget
  "timeout",
  "setup", // the case could not be begun, such as a file that cannot be read
  "run", // the agent's run ended with an error of another kind
  "backend", // the host failed: this says nothing of the agent
] as const;

/** A reason in words: what, which subject, what to do. */
const failureSchema = z.strictObject({
  kind: z.enum(failureKinds),
  message: z.string(),
  /** Number of the turn, from 1; `null` where it is of the whole case. */
  turn: z.int().positive().nullable(),
  expected: z.string().nullable(),
  received: z.string().nullable(),
  /** The stable code of the error that ended a run, where one did. */
  code: z.string().nullable(),
});

/** Who judged, where a model did. */
const judgementSchema = z.strictObject({
  backend: z.string(),
  model: z.string().nullable(),
  runIds: z.array(z.string()),
  usage: testUsageSchema,
  cost: testCostSchema.nullable(),
});

/** The id of the unit of score and threshold, such as `seconds`; `null` for shares from 0 to 1. */
export const unitSchema = z.string().nullable();
/** Whether scores pass from the threshold upward or downward. */
export const directionSchema = z.enum(["at-least", "at-most"]);

export const metricResultSchema = z.strictObject({
  /** Unique in its turn, such as `contains "shipped"`. */
  name: z.string(),
  /** `type` in the agent's file, such as `standard`. */
  type: z.string(),
  /** The name of the metric, such as `rougeL`. */
  metric: z.string(),
  outcome: z.enum(["passed", "failed", "errored"]),
  /** `null` where the metric could not run. */
  score: z.number().nullable(),
  threshold: z.number(),
  passes: directionSchema,
  unit: unitSchema,
  /** Why the score is what it is, or why there is none. */
  reason: z.string().nullable(),
  expected: z.string().nullable(),
  received: z.string().nullable(),
  durationMs: z.number(),
  judgement: judgementSchema.nullable(),
  /** What the score was made from, such as verdicts on single claims. */
  evidence: z.json().nullable(),
});

/** One entry of `expected_tools`. */
const expectationSchema = z.strictObject({
  /** In words, such as `lookup_order { id: "A-1001" }`. */
  expected: z.string(),
  ok: z.boolean(),
  /** What came instead; `null` where it is ok. */
  message: z.string().nullable(),
});

export const turnResultSchema = z.strictObject({
  input: z.string(),
  files: z.array(z.string()),
  groundTruth: z.string().nullable(),
  answer: z.string(),
  /** With `response_format`. */
  object: z.json().nullable(),
  /** `null` where the run never began. */
  runId: z.string().nullable(),
  stopReason: z.enum(["natural", "budget", "stopped", "error"]).nullable(),
  model: z.string().nullable(),
  steps: count,
  durationMs: z.number(),
  usage: testUsageSchema,
  cost: testCostSchema.nullable(),
  transcript: z.array(entrySchema),
  retrievalContext: z.array(z.string()),
  expectedTools: z.array(expectationSchema),
  metrics: z.array(metricResultSchema),
});

export const trialResultSchema = z.strictObject({
  /** The name of the case. */
  case: z.string(),
  /** From 1. */
  trial: z.int().positive(),
  /** `errored`: the host failed, which says nothing of the agent. */
  outcome: z.enum(["passed", "failed", "errored"]),
  /** In milliseconds since the epoch. */
  startedAt: z.number(),
  durationMs: z.number(),
  /** The session of the turns, of a case with several. */
  sessionId: z.string().nullable(),
  /** Those that ran: a case ends with the first turn whose run fails. */
  turns: z.array(turnResultSchema),
  /** Empty where it passed. */
  failures: z.array(failureSchema),
});

export type Failure = z.output<typeof failureSchema>;
export type FailureKind = (typeof failureKinds)[number];
export type Judgement = z.output<typeof judgementSchema>;
export type MetricResult = z.output<typeof metricResultSchema>;
export type Expectation = z.output<typeof expectationSchema>;
export type TurnResult = z.output<typeof turnResultSchema>;
export type TrialResult = z.output<typeof trialResultSchema>;
