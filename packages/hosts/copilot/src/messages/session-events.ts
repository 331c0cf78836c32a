/** The parts of the SDK's events that Bridle reads, parsed when they arrive (observed on 1.0.14). Other fields and kinds are ignored. */
import { BackendCrashError } from "@bridle/protocol";
import { z } from "zod";

const tokens = z
  .number()
  .nullish()
  .transform((count) => count ?? 0);

const quotaSnapshot = z.looseObject({ remainingPercentage: z.number().nullish(), resetDate: z.string().optional() });

/** The quotas of a plan, and when they reset. */
export type QuotaSnapshots = Readonly<Record<string, z.infer<typeof quotaSnapshot> | undefined>>;

const quotaSnapshots: z.ZodType<QuotaSnapshots | undefined> = z
  .record(z.string(), quotaSnapshot.optional().catch(undefined))
  .optional()
  .catch(undefined);

const toolRequest = z.looseObject({ toolCallId: z.string(), name: z.string(), arguments: z.unknown() });

const kinds = {
  "session.start": z.looseObject({ context: z.looseObject({ cwd: z.string().optional() }).optional() }),
  "session.skills_loaded": z.looseObject({ skills: z.array(z.unknown()) }),
  "session.mcp_servers_loaded": z.looseObject({
    servers: z.array(z.looseObject({ name: z.string().optional(), status: z.string().optional() })),
  }),
  "session.error": z.looseObject({
    errorType: z.string(),
    message: z.string(),
    statusCode: z.number().nullish(),
  }),
  "session.idle": z.looseObject({ aborted: z.boolean().nullish() }),
  "system.message": z.looseObject({ content: z.string() }),
  "user.message": z.looseObject({ content: z.string(), transformedContent: z.string().nullish() }),
  "model.call_start": z.looseObject({ model: z.string().nullish() }),
  "model.call_failure": z.looseObject({
    statusCode: z.number().nullish(),
    failureKind: z.string().nullish(),
    errorMessage: z.string().nullish(),
    /** Reported with a login only. */
    quotaSnapshots,
  }),
  "external_tool.requested": z.looseObject({ requestId: z.string(), toolCallId: z.string() }),
  "external_tool.completed": z.looseObject({ requestId: z.string() }),
  "assistant.message_start": z.looseObject({}),
  "assistant.message_delta": z.looseObject({ deltaContent: z.string() }),
  "assistant.reasoning_delta": z.looseObject({ deltaContent: z.string() }),
  "assistant.tool_call_delta": z.looseObject({
    toolCallId: z.string(),
    toolName: z.string().nullish(),
    inputDelta: z.string(),
  }),
  "assistant.usage": z.looseObject({
    model: z.string().nullish(),
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    finishReason: z.string().nullish(),
    /** With a login: what GitHub counts for the response, in billionths of an AI credit. */
    copilotUsage: z.looseObject({ totalNanoAiu: z.number() }).nullish().catch(undefined),
  }),
  "assistant.message": z.looseObject({
    content: z
      .string()
      .nullish()
      .transform((text) => text ?? ""),
    /** The reasoning. `assistant.reasoning` also contains it, but comes later. */
    reasoningText: z.string().nullish(),
    toolRequests: z
      .array(toolRequest)
      .nullish()
      .transform((calls) => calls ?? []),
  }),
  /** The reply to a call in the form that the model gets, for our tools and for calls that the runtime refused. */
  "model.tool_execution": z.looseObject({
    toolCallId: z.string(),
    toolResult: z.looseObject({ textResultForLlm: z.string(), resultType: z.string() }),
  }),
} as const;

type Kind = keyof typeof kinds;
type EventData<K extends Kind> = z.infer<(typeof kinds)[K]>;
export type CopilotEvent = { [K in Kind]: { type: K; data: EventData<K> } }[Kind];
export type ModelFailure = EventData<"model.call_failure">;
export type ModelUsage = EventData<"assistant.usage">;
export type ToolRequest = z.infer<typeof toolRequest>;

const anyEvent = z.looseObject({ type: z.string(), agentId: z.string().optional(), data: z.unknown() });

/** Reads an event of the conversation; undefined for kinds that are not read. Throws BackendCrashError if an event has an unknown form. */
export function readCopilotEvent(raw: unknown): CopilotEvent | undefined {
  const { type, data } = anyEvent.parse(raw);
  if (!isKind(type)) return undefined;
  const parsed = kinds[type].safeParse(data);
  if (parsed.success) return { type, data: parsed.data } as CopilotEvent; // parsed with the schema of this type
  const message = `Copilot sent an unknown form of the event ${type}: ${z.prettifyError(parsed.error)}`;
  throw new BackendCrashError(message, { cause: parsed.error });
}

function isKind(type: string): type is Kind {
  return Object.hasOwn(kinds, type);
}
