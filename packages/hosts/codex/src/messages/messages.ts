/** The messages of `codex app-server` that Bridle reads (0.169.0). A test compares them with the pinned version's protocol. */
import { z } from "zod";

const id = z.union([z.string(), z.number()]);
const text = z.string();

/** A line from the process: an answer, a request, or a notification. */
export const lineSchema = z.looseObject({
  id: id.optional(),
  method: text.optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: text, code: z.number().optional() }).optional(),
});
export type Line = z.infer<typeof lineSchema>;
export type RequestId = z.infer<typeof id>;

/** An item of the conversation, in the form of OpenAI's Responses API. */
const rawItem = z.looseObject({
  type: text,
  id: text.nullish(),
  role: text.nullish(),
  name: text.nullish(),
  namespace: text.nullish(),
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  call_id: text.nullish(),
  output: z.unknown().optional(),
  tools: z.array(z.unknown()).nullish(),
  content: z.array(z.looseObject({ type: text, text: text.nullish() })).nullish(),
  summary: z.array(z.looseObject({ type: text, text: text.nullish() })).nullish(),
});
export type RawItem = z.infer<typeof rawItem>;

const count = z
  .number()
  .nullish()
  .transform((tokens) => Math.max(0, tokens ?? 0));
const tokens = z.looseObject({
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteInputTokens: count,
  outputTokens: count,
});
export type HostTokens = z.infer<typeof tokens>;

const window = z.looseObject({
  usedPercent: z.number(),
  windowDurationMins: z.number().nullish(),
  resetsAt: z.number().nullish(),
});
const rateLimits = z.looseObject({
  limitId: text.nullish(),
  primary: window.nullish(),
  secondary: window.nullish(),
  rateLimitReachedType: text.nullish(),
});
export type HostWindow = z.infer<typeof window>;
export type HostLimits = z.infer<typeof rateLimits>;

const turnError = z.looseObject({
  message: text,
  codexErrorInfo: z.union([text, z.record(text, z.unknown())]).nullish(),
  additionalDetails: text.nullish(),
});
export type HostTurnError = z.infer<typeof turnError>;

const ofThread = { threadId: text };

const fileChange = z.looseObject({
  path: text,
  kind: z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("add") }),
    z.looseObject({ type: z.literal("delete") }),
    z.looseObject({ type: z.literal("update"), move_path: text.nullish() }),
  ]),
});
export type HostFileChange = z.infer<typeof fileChange>;
const threadItem = z.looseObject({
  type: text,
  id: text,
  status: z.unknown().optional(),
  changes: z.array(z.unknown()).optional(),
});
/** A patch that the host asks about, applies or has applied. */
export const patchItem = threadItem.extend({
  type: z.literal("fileChange"),
  status: text,
  changes: z.array(fileChange),
});

/** The contents of each notification. Other notifications are ignored. */
export const notificationSchemas = {
  "item/agentMessage/delta": z.looseObject({ ...ofThread, itemId: text, delta: text }),
  "item/reasoning/summaryTextDelta": z.looseObject({ ...ofThread, itemId: text, delta: text }),
  "item/reasoning/textDelta": z.looseObject({ ...ofThread, itemId: text, delta: text }),
  "turn/started": z.looseObject({ ...ofThread, turn: z.looseObject({ id: text }) }),
  "rawResponseItem/completed": z.looseObject({ ...ofThread, turnId: text, item: rawItem }),
  "rawResponse/completed": z.looseObject({ ...ofThread, usage: tokens.nullish() }),
  "thread/tokenUsage/updated": z.looseObject({
    ...ofThread,
    tokenUsage: z.looseObject({ modelContextWindow: z.number().nullish() }),
  }),
  error: z.looseObject({ ...ofThread, error: turnError, willRetry: z.boolean() }),
  warning: z.looseObject({ message: text }),
  "turn/completed": z.looseObject({
    ...ofThread,
    turn: z.looseObject({ id: text, status: text, error: turnError.nullish() }),
  }),
  "item/started": z.looseObject({ ...ofThread, item: threadItem }),
  "item/completed": z.looseObject({ ...ofThread, item: threadItem }),
  "account/rateLimits/updated": z.looseObject({ rateLimits }),
} as const;

type NotificationName = keyof typeof notificationSchemas;
export type Notification = {
  [Name in NotificationName]: { method: Name; params: z.infer<(typeof notificationSchemas)[Name]> };
}[NotificationName];

/** A request from the process that Bridle answers. */
export const callSchema = z.looseObject({ ...ofThread, callId: text, tool: text, arguments: z.unknown() });
export const approvalSchema = z.looseObject({ ...ofThread, itemId: text });

export const initializeAnswer = z.looseObject({ userAgent: text, codexHome: text });
export const threadAnswer = z.looseObject({
  thread: z.looseObject({ id: text, ephemeral: z.boolean() }),
  model: text,
  modelProvider: text,
  cwd: text,
  instructionSources: z.array(text).default([]),
  approvalPolicy: z.unknown(),
  sandbox: z.looseObject({ type: text }),
});
export type ThreadAnswer = z.infer<typeof threadAnswer>;
export const commandAnswer = z.looseObject({ exitCode: z.number(), stdout: text, stderr: text });
export const turnAnswer = z.looseObject({ turn: z.looseObject({ id: text }) });
export const authAnswer = z.looseObject({ authMethod: text.nullish() });
const named = z.array(z.looseObject({ name: text.nullish(), path: text.nullish() }));
export const serversAnswer = z.looseObject({ data: named });
export const skillsAnswer = z.looseObject({ data: z.array(z.looseObject({ skills: named.default([]) })) });
export const hooksAnswer = z.looseObject({ data: z.array(z.looseObject({ hooks: z.array(z.unknown()).default([]) })) });
export const featuresAnswer = z.looseObject({ data: z.array(z.looseObject({ name: text, enabled: z.boolean() })) });
export type FeaturesAnswer = z.infer<typeof featuresAnswer>;
export const configAnswer = z.looseObject({
  config: z.record(text, z.unknown()),
  layers: z.array(z.looseObject({ name: z.looseObject({ type: text }), config: z.unknown() })).nullish(),
});
export type ConfigAnswer = z.infer<typeof configAnswer>;

/** Reads a notification; undefined for kinds that are not known here. Throws ZodError if its form has changed. */
export function readNotification({ method, params }: Line): Notification | undefined {
  if (method === undefined || !Object.hasOwn(notificationSchemas, method)) return undefined;
  const name = method as NotificationName;
  return { method: name, params: notificationSchemas[name].parse(params) } as Notification;
}
