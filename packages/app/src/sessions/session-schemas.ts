/** Sessions as data, as `bridle sessions --json` prints them. */
import { runResultSchema, stopReasonSchema } from "@bridle/protocol";
import { z } from "zod";

const count = z.int().nonnegative();
const time = z.iso.datetime();

const begun = {
  id: z.string(),
  startedAt: time,
  lastAt: time,
  forkedFrom: z.string().nullable(),
  /** The run and the tool call that started a run of this session (the newest, if there are several), and that run's session. */
  parentRun: z.string().nullable(),
  parentSession: z.string().nullable(),
  /** The labels of the newest run. */
  labels: z.record(z.string(), z.string()),
};

export const sessionRowSchema = z.strictObject({
  ...begun,
  runs: count,
  inProgress: z.boolean(),
  /** The beginning of the first prompt, on one line. */
  firstWords: z.string().nullable(),
  /** The backend and the model of the newest run. */
  backend: z.string().nullable(),
  model: z.string().nullable(),
});
export type SessionRow = z.infer<typeof sessionRowSchema>;

export const sessionListSchema = z.strictObject({ sessions: z.array(sessionRowSchema) });
export type SessionList = z.infer<typeof sessionListSchema>;

const totalsSchema = z.strictObject({
  runs: count,
  steps: count,
  toolCalls: count,
  usage: runResultSchema.shape.usage,
  cost: runResultSchema.shape.cost,
  /** The usage of other agents' runs that tools started. */
  nested: runResultSchema.shape.nested,
});

const pendingSchema = z.strictObject({ id: z.string(), run: z.string(), tool: z.string(), input: z.unknown() });

export const runRowSchema = z.strictObject({
  id: z.string(),
  startedAt: time,
  backend: z.string().nullable(),
  model: z.string().nullable(),
  /** `null` while the run is in progress. */
  stopReason: stopReasonSchema.nullable(),
  error: z.string().nullable(),
});
export type RunRow = z.infer<typeof runRowSchema>;

const entrySchema = z.strictObject({
  run: z.string().nullable(),
  kind: z.enum(["user", "text", "reasoning", "tool", "history"]),
  step: count.optional(),
  text: z.string().optional(),
  complete: z.boolean().optional(),
  callId: z.string().optional(),
  tool: z.string().optional(),
  input: z.unknown().optional(),
  state: z.string().optional(),
  output: z.string().optional(),
  durationMs: z.number().optional(),
  /** The runs that the call started. */
  nested: z.array(z.strictObject({ run: z.string(), session: z.string().nullable() })).optional(),
  reason: z.string().optional(),
  messages: count.optional(),
});
export type EntryRow = z.infer<typeof entrySchema>;

export const sessionViewSchema = z.strictObject({
  ...begun,
  totals: totalsSchema,
  pendingApprovals: z.array(pendingSchema),
  runs: z.array(runRowSchema),
  entries: z.array(entrySchema),
});
export type SessionView = z.infer<typeof sessionViewSchema>;
