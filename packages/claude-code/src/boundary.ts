import type { UUID } from "node:crypto";
import { type Query, query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { type HostParts, hostOptions } from "./boundary-options.ts";

/** Starts Claude Code within the boundary. Nothing else in the sources calls the SDK's entry points. */
export function startHost(prompt: AsyncIterable<SDKUserMessage>, parts: HostParts): Query {
  return query({ prompt, options: hostOptions(parts) });
}

/** How long the host may take to say that it has gone back; it takes 1 to 11 ms (observed on 2.1.330). */
const rewindMs = 1000;

/**
 * Cuts the conversation before a message that nothing may stand before, so that the host knows nothing any more of what
 * was said; the next request is then byte for byte that of a new process (observed on 2.1.330). True only when the host
 * says that it did exactly this: the request is not documented, and what it means may change.
 */
export async function rewindHost(host: object, message: UUID, withinMs = rewindMs): Promise<boolean> {
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => timeout.resolve(undefined), withinMs);
  try {
    const asked = askToRewind(host, message);
    asked.catch(() => {}); // it may fail after the time is over
    const answer = rewoundSchema.safeParse(await Promise.race([asked, timeout.promise]));
    return answer.success && answer.data.response.targetMessageUuid === message;
  } catch {
    return false; // the process has gone, or refuses: it serves no other call
  } finally {
    clearTimeout(timer);
  }
}

const rewoundSchema = z.looseObject({
  response: z.looseObject({
    rewound: z.literal(true),
    targetMessageUuid: z.string(),
    precedingAssistantUuid: z.null(),
  }),
});

/** The SDK has the method, its typings do not. */
async function askToRewind(host: object, message: UUID): Promise<unknown> {
  const request: unknown = Reflect.get(host, "request");
  if (typeof request !== "function") return undefined;
  return request.call(host, { subtype: "rewind_conversation", target_message_uuid: message });
}
