/** The result of one trial of one case, with everything that explains it. */
import { z } from "zod";
import { entrySchema } from "./call.ts";

const count = z.int().nonnegative();

export const testUsageSchema = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
});

export const testCostSchema = z.strictObject({
  usd: z.number(),
  estimate: z.boolean(),
  /** Set if `usd` is only the known part. */
  partial: z.literal(true).optional(),
});

/** Why a trial did not pass. */
export const failureKinds = [
  "empty-answer", // the agent answered nothing
  "no-checks", // neither a metric nor expected tools: nothing was tested
  "expected-tools", // an expected call was not made, or was different
  "unknown-tool", // expected_tools names a tool that the agent does not have
  "unknown-argument", // expected_tools names arguments that the tool cannot have
  "tool-denied", // a call was denied unexpectedly
  "metric", // a score does not pass
  "metric-error", // a metric could not run
  "out-of-steps", // the agent used up its budget
  "timeout",
  "setup", // the case could not start, for example because of an unreadable file
  "run", // the agent's run ended with an error of another kind
  "backend", // the host failed, so the trial is inconclusive
] as const;

/** Why a trial did not pass. The message has subject, reason and remedy. */
const failureSchema = z.strictObject({
  kind: z.enum(failureKinds),
  message: z.string(),
  /** The number of the turn, from 1; `null` if it concerns the whole case. */
  turn: z.int().positive().nullable(),
  expected: z.string().nullable(),
  received: z.string().nullable(),
  /** The stable code of the error that ended a run. */
  code: z.string().nullable(),
});

/** The judge of a metric, and its usage. */
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
  /** `null` if the metric could not run. */
  score: z.number().nullable(),
  threshold: z.number(),
  passes: directionSchema,
  unit: unitSchema,
  /** The reason for the score, or for a missing score. */
  reason: z.string().nullable(),
  expected: z.string().nullable(),
  received: z.string().nullable(),
  durationMs: z.number(),
  judgement: judgementSchema.nullable(),
  /** The parts of the score, such as verdicts on single claims. */
  evidence: z.json().nullable(),
});

/** One entry of `expected_tools`. */
const expectationSchema = z.strictObject({
  /** As text, such as `lookup_order { id: "A-1001" }`. */
  expected: z.string(),
  ok: z.boolean(),
  /** Why it is not met; `null` if it is. */
  message: z.string().nullable(),
});

export const turnResultSchema = z.strictObject({
  input: z.string(),
  files: z.array(z.string()),
  /** If there are several accepted answers, the first one. */
  groundTruth: z.string().nullable(),
  /** The other accepted answers, if there are any. */
  otherGroundTruths: z.array(z.string()).exactOptional(),
  answer: z.string(),
  /** With `response_format`. */
  object: z.json().nullable(),
  /** `null` if the run did not start. */
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
  /** `errored`: the host failed, so the trial is inconclusive. */
  outcome: z.enum(["passed", "failed", "errored"]),
  /** In milliseconds since the epoch. */
  startedAt: z.number(),
  durationMs: z.number(),
  /** The session of a case with several turns. */
  sessionId: z.string().nullable(),
  /** The turns that ran: a case ends with the first turn that fails. */
  turns: z.array(turnResultSchema),
  /** Empty if it passed. */
  failures: z.array(failureSchema),
});

export type Failure = z.output<typeof failureSchema>;
export type FailureKind = (typeof failureKinds)[number];
export type Judgement = z.output<typeof judgementSchema>;
export type MetricResult = z.output<typeof metricResultSchema>;
export type Expectation = z.output<typeof expectationSchema>;
export type TurnResult = z.output<typeof turnResultSchema>;
export type TrialResult = z.output<typeof trialResultSchema>;
