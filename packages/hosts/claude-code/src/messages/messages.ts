/**
 * The parts of the SDK's messages that Bridle reads, parsed when they arrive. All other fields and kinds are ignored, because new releases
 * of the host add some.
 */
import { BackendCrashError } from "@bridle/protocol";
import { z } from "zod";

const tokens = z
  .number()
  .nullish()
  .transform((count) => count ?? 0);
const wireUsage = z.looseObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_creation: z.looseObject({ ephemeral_1h_input_tokens: tokens }).nullish(),
});

/** Kinds that Bridle ignores. */
const other = z.looseObject({ type: z.string() }).transform(() => ({ type: "other" as const }));

const contentBlock = z.union([
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("thinking"), thinking: z.string() }),
  z.looseObject({ type: z.literal("redacted_thinking") }),
  z.looseObject({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() }),
  z.looseObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.unknown(),
    is_error: z.boolean().nullish(),
  }),
  other,
]);

const streamEvent = z.union([
  z.looseObject({
    type: z.literal("message_start"),
    message: z.looseObject({ id: z.string(), model: z.string(), usage: wireUsage }),
  }),
  z.looseObject({
    type: z.literal("content_block_start"),
    index: z.number(),
    content_block: z.looseObject({ type: z.string(), id: z.string().optional(), name: z.string().optional() }),
  }),
  z.looseObject({
    type: z.literal("content_block_delta"),
    index: z.number().optional(),
    delta: z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      thinking: z.string().optional(),
      partial_json: z.string().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal("message_delta"),
    delta: z.looseObject({ stop_reason: z.string().nullish() }).optional(),
    usage: wireUsage.partial().nullish(),
  }),
  z.looseObject({ type: z.literal("message_stop") }),
  other,
]);

const initSchema = z.looseObject({
  type: z.literal("system"),
  subtype: z.literal("init"),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })),
  plugins: z.array(z.looseObject({ name: z.string() })),
  apiKeySource: z.string(),
  claude_code_version: z.string(),
});
export type Init = z.infer<typeof initSchema>;

const modelUsage = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
  contextWindow: z.number().optional(),
});

const resultSchema = z.looseObject({
  type: z.literal("result"),
  subtype: z.string(),
  is_error: z.boolean(),
  api_error_status: z.number().nullish(),
  api_error_type: z.string().nullish(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  terminal_reason: z.string().nullish(),
  stop_reason: z.string().nullish(),
  startup_failure_reason: z.string().optional(),
  structured_output: z.unknown().optional(),
  total_cost_usd: z.number(),
  modelUsage: z.record(z.string(), modelUsage),
});
export type HostResult = z.infer<typeof resultSchema>;

const rateLimitSchema = z.looseObject({
  status: z.string(),
  resetsAt: z.number().optional(),
  rateLimitType: z.string().optional(),
  utilization: z.number().optional(),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

const nested = { parent_tool_use_id: z.string().nullish() };

const hostMessageSchema = z.union([
  initSchema,
  resultSchema,
  z.looseObject({
    type: z.literal("assistant"),
    ...nested,
    error: z.string().optional(),
    message: z.looseObject({
      id: z.string(),
      model: z.string(),
      content: z.array(contentBlock),
      usage: wireUsage.nullish(),
    }),
  }),
  z.looseObject({
    type: z.literal("user"),
    ...nested,
    message: z.looseObject({ content: z.union([z.string(), z.array(contentBlock)]) }),
  }),
  z.looseObject({
    type: z.literal("stream_event"),
    ...nested,
    event: streamEvent,
    abandoned_blocks: z.looseObject({ from_block_index: z.number() }).nullish(),
  }),
  z.looseObject({
    type: z.literal("system"),
    subtype: z.literal("api_retry"),
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullable(),
    error: z.string(),
  }),
  z.looseObject({
    type: z.literal("system"),
    subtype: z.literal("informational"),
    content: z.string(),
    level: z.string(),
  }),
  z.looseObject({ type: z.literal("rate_limit_event"), rate_limit_info: rateLimitSchema }),
  other,
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;
export type ContentBlock = z.infer<typeof contentBlock>;
export type WireUsage = z.infer<typeof wireUsage>;

/** The messages without which a turn cannot be followed. If one of them cannot be parsed, that is an error. */
const essential: readonly unknown[] = ["assistant", "user", "result", "stream_event"];

/** Whether a host sends the message only while it works on a turn. */
export function isAboutATurn({ type }: HostMessage): boolean {
  return type !== "other" && type !== "system" && type !== "rate_limit_event";
}

/** Parses one SDK message. Throws BackendCrashError if an essential message has an unknown form. */
export function readMessage(raw: { type: string; subtype?: unknown }): HostMessage {
  const message = hostMessageSchema.parse(raw);
  if (message.type !== "other") return message;
  if (essential.includes(raw.type) || raw.subtype === "init") {
    throw new BackendCrashError(
      `Claude Code sent a message of type ${raw.type} in an unknown form. Install the pinned version of the Agent SDK.`,
    );
  }
  return message;
}
