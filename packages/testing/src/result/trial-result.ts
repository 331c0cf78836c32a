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
  /** Whether `usd` is only the known part of the cost. */
  partial: z.literal(true).optional(),
});

/** Why a trial did not pass. */
export const failureKinds = [
  "empty-answer", // the agent answered nothing
  "no-checks", // there was neither a metric nor an expected tool, so nothing was tested
  "expected-tools", // an expected call was not made, or was different
  "unknown-tool", // expected_tools names a tool that the agent does not have
  "unknown-argument", // expected_tools names arguments that the tool cannot have
  "tool-denied", // a call was denied unexpectedly
  "metric", // a score does not pass
  "metric-error", // a metric could not run
  "out-of-steps", // the agent used up its limits
  "timeout",
  "setup", // the case could not start, for example because of an unreadable file
  "run", // the agent's run ended with an error of another kind
  "backend", // the host failed, so the trial is inconclusive
] as const;

/** Why a trial did not pass. The message has subject, reason and remedy. */
const failureSchema = z.strictObject({
  kind: z.enum(failureKinds),
  message: z.string(),
  /** The number of the turn, from 1; `null` if the failure concerns the whole case. */
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

/** The unit's id for score and threshold, such as `seconds`; `null` for shares from 0 to 1. */
export const unitSchema = z.string().nullable();
/** Whether scores pass if they are at least, or at most, the threshold. */
export const directionSchema = z.enum(["at-least", "at-most"]);

export const metricResultSchema = z.strictObject({
  /** The metric's name, unique in its turn, such as `contains "shipped"`. */
  name: z.string(),
  /** `type` in the agent file, such as `standard`. */
  type: z.string(),
  /** The name of the metric, such as `rougeL`. */
  metric: z.string(),
  outcome: z.enum(["passed", "failed", "errored"]),
  /** The score; `null` if the metric could not run. */
  score: z.number().nullable(),
  threshold: z.number(),
  passes: directionSchema,
  unit: unitSchema,
  /** The reason for the score, or why there is no score. */
  reason: z.string().nullable(),
  expected: z.string().nullable(),
  received: z.string().nullable(),
  durationMs: z.number(),
  judgement: judgementSchema.nullable(),
  /** The parts of the score, such as verdicts on individual claims. */
  evidence: z.json().nullable(),
});

/** One entry of `expected_tools`. */
const expectationSchema = z.strictObject({
  /** The entry as text, such as `lookup_order { id: "A-1001" }`. */
  expected: z.string(),
  ok: z.boolean(),
  /** Why the entry is not met; `null` if it is met. */
  message: z.string().nullable(),
});

export const turnResultSchema = z.strictObject({
  input: z.string(),
  files: z.array(z.string()),
  /** If there are several accepted answers, the first one. */
  groundTruth: z.string().nullable(),
  /** The other accepted answers, if any. */
  otherGroundTruths: z.array(z.string()).exactOptional(),
  answer: z.string(),
  /** The answer as an object, with `response_format`. */
  object: z.json().nullable(),
  /** The id of the run; `null` if the run did not start. */
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
  /** The number of the trial, from 1. */
  trial: z.int().positive(),
  /** `errored`: the host failed, so the trial is inconclusive. */
  outcome: z.enum(["passed", "failed", "errored"]),
  /** When the trial started, in milliseconds since the epoch. */
  startedAt: z.number(),
  durationMs: z.number(),
  /** The session of a case with several turns. */
  sessionId: z.string().nullable(),
  /** The turns that ran. A case ends after the first turn that fails. */
  turns: z.array(turnResultSchema),
  /** The reasons why the trial did not pass. Empty if it passed. */
  failures: z.array(failureSchema),
});

export type Failure = z.output<typeof failureSchema>;
export type FailureKind = (typeof failureKinds)[number];
export type Judgement = z.output<typeof judgementSchema>;
export type MetricResult = z.output<typeof metricResultSchema>;
export type Expectation = z.output<typeof expectationSchema>;
export type TurnResult = z.output<typeof turnResultSchema>;
export type TrialResult = z.output<typeof trialResultSchema>;
