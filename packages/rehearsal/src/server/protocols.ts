import { anthropicMessages } from "../anthropic/protocol.ts";
import { bedrockAnthropic } from "../anthropic-hosts/bedrock.ts";
import { vertexAnthropic } from "../anthropic-hosts/vertex.ts";
import { copilotResponses } from "../copilot/protocol.ts";
import { openaiEmbeddings } from "../embeddings/protocol.ts";
import { aiGateway } from "../gateway/protocol.ts";
import { openaiChat } from "../openai-chat/protocol.ts";
import { chatgptResponses, openaiResponses } from "../openai-responses/protocol.ts";
import type { Arrival, Protocol } from "../protocol/protocol.ts";

/** Every protocol that the server implements. */
const protocols: readonly Protocol[] = [
  anthropicMessages,
  vertexAnthropic,
  bedrockAnthropic,
  openaiChat,
  chatgptResponses,
  copilotResponses,
  openaiResponses,
  aiGateway,
  openaiEmbeddings,
];

export function protocolFor({
  method,
  path,
  headers,
}: Pick<Arrival, "path" | "headers"> & { method: string }): Protocol | undefined {
  if (method !== "POST") return undefined;
  return protocols.find((protocol) => protocol.path.test(path) && (protocol.isFor?.(headers) ?? true));
}

/** Returns the protocol for errors about an unknown path, chosen by the client's headers. */
export function protocolOf(headers: Readonly<Record<string, unknown>>): Protocol {
  return headers["anthropic-version"] === undefined ? openaiChat : anthropicMessages;
}
