/**
 * The events of a run, as one closed union. The types are inferred from the Zod schemas, so types and schemas always agree. Parse events
 * from files or other processes with `runEventSchema`.
 *
 * A run begins with `run.started` and ends with `run.finished`. Each model response is one step, from `step.started` to
 * `step.finished`. The order for each tool call: `tool.requested`, `tool.evaluated`, (`approval.requested`, `approval.decided`), then
 * `tool.denied`, or `tool.started` … `tool.finished`.
 */
import { z } from "zod";
import { historyMessageSchema } from "../messages/history-message.ts";
import { messageSchema } from "../messages/prompt.ts";
import { costSchema, usageSchema } from "../usage/usage.ts";
import { approvalEvents } from "./approval-events.ts";
import { hostEvents } from "./host-events.ts";
import { nestedEvents, nestedTotalsSchema } from "./nested-events.ts";
import { stopReasonSchema } from "./stop-reason.ts";
import { toolEvents } from "./tool-events.ts";

const count = z.int().nonnegative();

/** An error as data. A `BridleError` has this type, and so does its JSON form. */
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

export const runResultSchema = z.strictObject({
  stopReason: stopReasonSchema,
  /** The text of the last step. */
  text: z.string(),
  /** The valid object, if the request has a schema. */
  object: z.unknown().optional(),
  steps: count,
  toolCalls: count,
  toolFailures: count,
  usage: usageSchema,
  /** The cost of all requests of the run. It is `partial` if the cost of one request is unknown, and missing if no part is known. */
  cost: costSchema.optional(),
  /** The usage of the runs that tools of this run started. The figures above do not include it. Missing if there were none. */
  nested: nestedTotalsSchema.optional(),
  /** The model that answered, as the host names it. */
  model: z.string().optional(),
  error: errorReportSchema.optional(),
});
export type RunResult = Omit<z.infer<typeof runResultSchema>, "error"> & { error?: ErrorReport };

export const operationSchema = z.enum(["text", "object", "loop"]);
export type Operation = z.infer<typeof operationSchema>;

/**
 * A file or setting of the host on this machine, and whether it was in effect. Contains a hash, never the content.
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
    /** Set if a script replaced the model. */
    rehearsed: z.literal(true).optional(),
    /** The requested model. `step.started` has the model that answered. */
    model: z.string(),
    /** The run that started this one with a tool call, its session and the call. */
    parentRunId: z.string().optional(),
    parentSessionId: z.string().optional(),
    parentCallId: z.string().optional(),
    role: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    tools: z.array(z.string()).readonly(),
    builtins: z.array(z.string()).readonly(),
    stepBudget: z.int().positive(),
    maxOutputTokens: z.int().positive().optional(),
    temperature: z.number().optional(),
    topP: z.number().optional(),
    /** The rules that apply: the id of the artifact that contains their text, or the id of the caller's policy. */
    policy: z.string(),
  }),
  "run.finished": z.strictObject({ result: runResultSchema, durationMs: z.number() }),
};

/** How a host that can keep conversations open got the history, and why. */
export const resumptionSchema = z.strictObject({
  resumed: z.enum(["native", "rebuilt"]),
  reason: z.enum(["fingerprint-matched", "changed", "reassigned", "expired", "died", "evicted", "not-retained"]),
});
export type Resumption = z.infer<typeof resumptionSchema>;

/** `block` is the id of the block, unique in the run. Set only if the run requested `blocks`. */
const blockText = z.strictObject({ text: z.string(), block: z.string().optional() });

const modelEvents = {
  /** The input of one turn. `artifact` is its canonical JSON with system, tools, schema and messages; `sha256` is the hash of that JSON. */
  "model.input": z.strictObject({
    turn: z.int().positive(),
    sha256: z.string(),
    artifact: z.string(),
    messages: z.array(messageSchema).readonly(),
    /** The history of earlier events that the conversation continues from: the number of messages and their hash. */
    history: z
      .strictObject({ messages: count, fingerprint: z.string(), ...resumptionSchema.partial().shape })
      .optional(),
    implicitSources: z.array(implicitSourceSchema).readonly(),
    /** Texts that the host adds to the request, each described in a sentence. */
    hostAdds: z.array(z.string()).readonly(),
  }),
  "step.started": z.strictObject({ index: z.int().positive(), model: z.string().optional() }),
  /**
   * `usage` and `cost` belong to the response that ended the step. `cost` is missing if the backend knows no price.
   * `finishReason` is the reason why the response ended, in the terms of the model's API, such as `tool_use`.
   */
  "step.finished": z.strictObject({
    index: z.int().positive(),
    budget: z.int().positive(),
    usage: usageSchema,
    cost: costSchema.optional(),
    finishReason: z.string().optional(),
  }),
  "text.delta": blockText,
  "text.completed": blockText,
  "reasoning.delta": blockText,
  "reasoning.completed": blockText,
};

const historyEvents = {
  /** From this event on, the model gets these messages instead of the session's earlier ones. Earlier events stay in the log. */
  "history.replaced": z.strictObject({
    reason: z.enum(["forked", "compacted", "edited"]),
    /** How the history was compacted, if the reason is `compacted`. */
    strategy: z.string().optional(),
    /** The expected tokens of the prompt, and the limit. Set if the history was compacted before the window was full. */
    measured: z
      .strictObject({ tokens: count, contextWindow: z.int().positive(), compactAt: z.number().positive().max(1) })
      .optional(),
    /** The id of the original session, if the reason is `forked`. */
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
  ...nestedEvents,
  ...hostEvents,
};
export type RunEventType = keyof typeof eventDefinitions;

export type EventPayload<K extends RunEventType> = K extends "run.finished"
  ? { result: RunResult; durationMs: number }
  : z.infer<(typeof eventDefinitions)[K]>;

/** An event before the event log has added `seq`, `time` and ids. */
export type EventDraft = { [K in RunEventType]: { type: K } & EventPayload<K> }[RunEventType];

/** The fields that the event log adds. `seq` counts from 1 without gaps; `time` is in milliseconds since the epoch. */
export interface EventScope {
  seq: number;
  time: number;
  runId: string;
  sessionId?: string;
}

/** An event of a run, as the event log stores it. */
export type RunEvent = EventDraft & EventScope;
export type EventOf<K extends RunEventType> = Extract<RunEvent, { type: K }>;

/** Whether an event is a piece of text or of a call's input. A later event contains the whole. */
export function isDelta({ type }: Pick<RunEvent, "type">): boolean {
  return type === "text.delta" || type === "reasoning.delta" || type === "input.delta";
}

const scopeFields = { seq: z.int().positive(), time: z.number(), runId: z.string(), sessionId: z.string().optional() };

export const eventTypes = Object.keys(eventDefinitions) as readonly RunEventType[];

/**
 * Parses one event, such as a line of `bridle run --events`.
 *
 * @example
 * const event = runEventSchema.parse(JSON.parse(line));
 */
export const runEventSchema = z.discriminatedUnion(
  "type",
  eventTypes.map((type) => eventDefinitions[type].extend({ type: z.literal(type), ...scopeFields })) as never,
) as z.ZodType<RunEvent>;
