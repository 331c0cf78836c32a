import type { UUID } from "node:crypto";
import { type Query, query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { type HostParts, hostOptions } from "./host-options.ts";

/** Starts Claude Code within the boundary. Nothing else in the sources calls the SDK's entry points. */
export function startHost(prompt: AsyncIterable<SDKUserMessage>, parts: HostParts): Query {
  return query({ prompt, options: hostOptions(parts) });
}

/** How long the host may take to say that it has gone back; it takes 1 to 11 ms (observed on 2.1.330). */
const rewindMs = 1000;

/**
 * Takes a conversation back to before its first message, so that the host knows nothing any more of what was said; its
 * next request is then byte for byte that of a new process (observed on 2.1.330). `messages` are all that it was sent,
 * oldest first; it goes back by one at a time. True only when the host says that it did exactly this and that nothing is
 * left: the request is not documented, and what it means may change.
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

/** Never rejects: a process that has gone, or refuses, has not gone back. */
async function rewindAll(host: object, messages: readonly UUID[]): Promise<boolean> {
  let preceding: string | null = null;
  for (const message of messages.toReversed()) {
    const answer = rewoundSchema.safeParse(await askToRewind(host, message).catch(() => undefined));
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

/** The SDK has the method, its typings do not. */
async function askToRewind(host: object, message: UUID): Promise<unknown> {
  const request: unknown = Reflect.get(host, "request");
  if (typeof request !== "function") return undefined;
  return request.call(host, { subtype: "rewind_conversation", target_message_uuid: message });
}
