import type { UUID } from "node:crypto";
import { type Query, query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { type HostParts, hostOptions } from "./host-options.ts";

/** Starts Claude Code with the boundary's options. No other module calls the SDK's entry points. */
export function startHost(prompt: AsyncIterable<SDKUserMessage>, parts: HostParts): Query {
  return query({ prompt, options: hostOptions(parts) });
}

/** How many milliseconds the host may take to confirm a rewind. It takes 1 to 11 ms (observed on 2.1.330). */
const rewindMs = 1000;

/**
 * Rewinds a conversation to before its first message. The host then knows nothing of the conversation, and its next request is byte for
 * byte that of a new process (observed on 2.1.330).
 *
 * `messages` are the ids of all messages that were sent, oldest first; each is rewound in turn. Returns true only if the host confirms each
 * rewind and reports that no message remains. The request is undocumented, so its meaning may change.
 */
export async function rewindHost(host: object, messages: readonly UUID[], withinMs = rewindMs): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), withinMs);
  try {
    return await Promise.race([rewindAll(host, messages), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rewinds each message. Never rejects: returns false if the process has ended or refuses. */
async function rewindAll(host: object, messages: readonly UUID[]): Promise<boolean> {
  let preceding: string | null = null;
  for (const message of messages.toReversed()) {
    const answer = rewoundSchema.safeParse(await requestRewind(host, message).catch(() => undefined));
    if (!answer.success || answer.data.response.targetMessageUuid !== message) return false;
    preceding = answer.data.response.precedingAssistantUuid;
  }
  return preceding === null;
}

const rewoundSchema = z.looseObject({
  response: z.looseObject({
    rewound: z.literal(true),
    targetMessageUuid: z.string(),
    precedingAssistantUuid: z.string().nullable(),
  }),
});

/** Requests a rewind. The SDK has this method, but does not declare its type. */
async function requestRewind(host: object, message: UUID): Promise<unknown> {
  const request: unknown = Reflect.get(host, "request");
  if (typeof request !== "function") return undefined;
  return request.call(host, { subtype: "rewind_conversation", target_message_uuid: message });
}
