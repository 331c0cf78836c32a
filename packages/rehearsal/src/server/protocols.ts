import { anthropicMessages } from "../anthropic/protocol.ts";
import { openaiChat } from "../openai-chat/protocol.ts";
import { openaiResponses } from "../openai-responses/protocol.ts";
import type { Protocol } from "../protocol/protocol.ts";

/** Every protocol that the server speaks. */
const protocols: readonly Protocol[] = [anthropicMessages, openaiChat, openaiResponses];

export function protocolFor(method: string, path: string): Protocol | undefined {
  return method === "POST" ? protocols.find((protocol) => protocol.path.test(path)) : undefined;
}

/** Whose words a client understands that asked for a path of no protocol. */
export function protocolOf(headers: Readonly<Record<string, unknown>>): Protocol {
  return headers["anthropic-version"] === undefined ? openaiChat : anthropicMessages;
}
