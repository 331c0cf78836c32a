/**
 * Everything that can happen in a run, as one closed union. The types are inferred from the Zod schemas, so that the
 * two cannot drift apart; parse with `runEventSchema` where events come from outside (files, a wire).
 *
 * Order for each tool call: `tool.requested`, `tool.evaluated`, (`approval.requested`, `approval.decided`), then
 * `tool.denied`, or `tool.started` … `tool.finished`.
 */
import { z } from "zod";
import { historyMessageSchema } from "../conversation/history-message.ts";
import { messageSchema } from "../conversation/prompt.ts";
import { approvalEvents } from "./approval-events.ts";
import { hostEvents } from "./host-events.ts";
import { toolEvents } from "./tool-events.ts";
import { costSchema, usageSchema } from "./usage.ts";

const count = z.int().nonnegative();

/** An error as data. A live `BridleError` fits this type, and its JSON form does too. */
export const errorReportSchema = z.looseObject({
  name: z.string(),
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
});
export interface ErrorReport {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

export const stopReasonSchema = z.enum(["natural", "budget", "stopped", "error"]);
export type StopReason = z.infer<typeof stopReasonSchema>;

export const runResultSchema = z.strictObject({
  stopReason: stopReasonSchema,
  /** The text of the last step. */
  text: z.string(),
  /** The validated object, for `generateObject` only. */
  object: z.unknown().optional(),
  steps: count,
  toolCalls: count,
  toolFailures: count,
  usage: usageSchema,
  cost: costSchema.optional(),
  /** The model that answered, as the host names it. */
  model: z.string().optional(),
  error: errorReportSchema.optional(),
});
export type RunResult = Omit<z.infer<typeof runResultSchema>, "error"> & { error?: ErrorReport };

export const operationSchema = z.enum(["text", "object", "loop"]);
export type Operation = z.infer<typeof operationSchema>;

/**
 * A file or setting of the host that exists beside what the caller handed over, and whether it was in force.
 * Hashes, never contents.
 */
export const implicitSourceSchema = z.strictObject({
  kind: z.enum(["settings", "instructions", "managed-settings", "managed-instructions", "auth"]),
  path: z.string().optional(),
  sha256: z.string().optional(),
  inForce: z.boolean(),
  detail: z.string().optional(),
});
export type ImplicitSource = z.infer<typeof implicitSourceSchema>;

const runEvents = {
  "run.started": z.strictObject({
    operation: operationSchema,
    backend: z.string(),
    /** A script answered in the place of the model. */
    rehearsed: z.literal(true).optional(),
    /** The name that was asked for; `step.started` has the one that answered. */
    model: z.string(),
    role: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    tools: z.array(z.string()).readonly(),
    builtins: z.array(z.string()).readonly(),
    stepBudget: z.int().positive(),
    /** The rules in force: the artifact that holds them, which is their hash; else the id of the caller's policy. */
    policy: z.string(),
  }),
  "run.finished": z.strictObject({ result: runResultSchema, durationMs: z.number() }),
};

/** How a host that may hold a conversation itself came by its history, and why so. */
export const resumptionSchema = z.strictObject({
  resumed: z.enum(["native", "rebuilt"]),
  reason: z.enum(["fingerprint-matched", "changed", "reassigned", "expired", "died", "evicted", "not-retained"]),
});
export type Resumption = z.infer<typeof resumptionSchema>;

const modelEvents = {
  /** One turn's input. `sha256` and `artifact` are of its canonical JSON: system, tools, schema and messages. */
  "model.input": z.strictObject({
    turn: z.int().positive(),
    sha256: z.string(),
    artifact: z.string(),
    messages: z.array(messageSchema).readonly(),
    /** What the conversation went on from, where earlier events tell of it: that many messages, with this fingerprint. */
    history: z
      .strictObject({ messages: count, fingerprint: z.string(), ...resumptionSchema.partial().shape })
      .optional(),
    implicitSources: z.array(implicitSourceSchema).readonly(),
    /** Text that the host adds to the request by itself, in words. */
    hostAdds: z.array(z.string()).readonly(),
  }),
  "step.started": z.strictObject({ index: z.int().positive(), model: z.string().optional() }),
  "step.finished": z.strictObject({ index: z.int().positive(), budget: z.int().positive(), usage: usageSchema }),
  "text.delta": z.strictObject({ text: z.string() }),
  "text.completed": z.strictObject({ text: z.string() }),
  "reasoning.delta": z.strictObject({ text: z.string() }),
  "reasoning.completed": z.strictObject({ text: z.string() }),
};

const historyEvents = {
  /**
   * From here on the model is told these messages instead of all that came before in the session; what came before stays
   * on record.
   */
  "history.replaced": z.strictObject({
    reason: z.enum(["forked", "compacted", "edited"]),
    /** How it was condensed, for `compacted`. */
    strategy: z.string().optional(),
    /** Where it was condensed before the window was full: the tokens that the prompt was expected to have, and the limit. */
    measured: z
      .strictObject({ tokens: count, contextWindow: z.int().positive(), compactAt: z.number().positive().max(1) })
      .optional(),
    /** The session that it comes from, for `forked`. */
    from: z.string().optional(),
    messages: z.array(historyMessageSchema).readonly(),
  }),
};

/** The Zod schema of each event's own fields, by type. */
export const eventDefinitions = {
  ...runEvents,
  ...modelEvents,
  ...historyEvents,
  ...toolEvents,
  ...approvalEvents,
  ...hostEvents,
};
type Definitions = typeof eventDefinitions;
export type RunEventType = keyof Definitions;

type Payload<K extends RunEventType> = K extends "run.finished"
  ? { result: RunResult; durationMs: number }
  : z.infer<Definitions[K]>;

/** An event before the record has given it its place and time. */
export type EventDraft = { [K in RunEventType]: { type: K } & Payload<K> }[RunEventType];

/** Where an event stands: `seq` counts from 1 without gaps; `time` is in milliseconds since the epoch. */
export interface EventScope {
  seq: number;
  time: number;
  runId: string;
  sessionId?: string;
}

export type RunEvent = EventDraft & EventScope;
export type EventOf<K extends RunEventType> = Extract<RunEvent, { type: K }>;

/** Whether an event is a piece of streamed text, which a later one holds whole. */
export function isDelta({ type }: Pick<RunEvent, "type">): boolean {
  return type === "text.delta" || type === "reasoning.delta";
}

const place = { seq: z.int().positive(), time: z.number(), runId: z.string(), sessionId: z.string().optional() };

export const eventTypes = Object.keys(eventDefinitions) as readonly RunEventType[];

/** Parses one event as it was written, for instance a line of `bridle run --events`. */
export const runEventSchema = z.discriminatedUnion(
  "type",
  eventTypes.map((type) => eventDefinitions[type].extend({ type: z.literal(type), ...place })) as never,
) as z.ZodType<RunEvent>;
