import type { RehearsedConversation } from "../engine/conversation.ts";
import { toConversationId } from "../engine/conversation-id.ts";
import { firstPrompt, readHistory, type ScriptHistoryEntry, toPromptEntry } from "../engine/history.ts";
import type { GatewayMessage, GatewayPart, GatewayRequest } from "./request.ts";

/** Reads the state of the conversation from the prompt in a request. */
export function toGatewayConversation({ prompt, tools, toolChoice }: GatewayRequest): RehearsedConversation {
  const entries = prompt.flatMap(toGatewayEntries);
  return {
    ...readHistory(entries),
    id: toConversationId("", firstPrompt(entries)),
    system: prompt.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n"),
    offered: tools.map(({ name }) => name),
    objectTool: toolChoice?.toolName,
  };
}

/** Returns the history entries of a message. System messages are not part of the history. */
export function toGatewayEntries(message: GatewayMessage): ScriptHistoryEntry[] {
  if (message.role === "system") return [];
  const { role, content } = message;
  const ofType = (type: string) => content.filter((part) => part.type === type);
  if (role === "user")
    return toPromptEntry(
      ofType("text")
        .flatMap(({ text }) => text ?? [])
        .join("\n"),
    );
  if (role === "assistant") return [{ kind: "answer", calls: ofType("tool-call").map(toCall) }];
  return [{ kind: "results", results: ofType("tool-result").map(toResult) }];
}

function toCall({ toolCallId: id = "", toolName: name = "" }: GatewayPart) {
  return { id, name };
}

function toResult({ toolCallId: id = "", output }: GatewayPart) {
  return { id, text: textOf(output?.value) };
}

/** Returns a result as text. The result is text, JSON or a list of parts. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = Array.isArray(value) ? value.flatMap((each: unknown) => textPart(each)) : [];
  return parts.length > 0 ? parts.join("\n") : (JSON.stringify(value) ?? "");
}

function textPart(value: unknown): string[] {
  const isText = typeof value === "object" && value !== null && "type" in value && value.type === "text";
  return isText && "text" in value && typeof value.text === "string" ? [value.text] : [];
}
