import type { RehearsedConversation } from "../engine/conversation.ts";
import { toConversationId } from "../engine/conversation-id.ts";
import { firstPrompt, readHistory, type ScriptHistoryEntry, toPromptEntry } from "../engine/history.ts";
import { joinOpenAIText } from "../openai/content.ts";
import { findObjectTool } from "../openai/object-tool.ts";
import type { ChatMessage, ChatRequest } from "./request.ts";

/** Reads the state of the conversation from the messages in a request. */
export function toChatConversation(request: ChatRequest): RehearsedConversation {
  const entries = request.messages.flatMap(toChatEntries);
  const choice = request.tool_choice;
  const offered = request.tools.map((tool) => tool.function.name);
  const objectTool = typeof choice === "object" ? choice.function?.name : findObjectTool(offered);
  return {
    ...readHistory(entries),
    id: toConversationId(request.user, firstPrompt(entries)),
    system: request.messages.flatMap(systemText).join("\n"),
    offered,
    objectTool,
  };
}

/** Returns the history entries of a message. System messages are not part of the history. */
export function toChatEntries(message: ChatMessage): ScriptHistoryEntry[] {
  switch (message.role) {
    case "user":
      return toPromptEntry(joinOpenAIText(message.content));
    case "assistant":
      return [{ kind: "answer", calls: callsOf(message) }];
    case "tool":
      return [{ kind: "results", results: [{ id: message.tool_call_id, text: joinOpenAIText(message.content) }] }];
    default:
      return [];
  }
}

function systemText(message: ChatMessage): string[] {
  return message.role === "system" || message.role === "developer" ? [joinOpenAIText(message.content)] : [];
}

function callsOf(message: ChatMessage): { id: string; name: string }[] {
  if (message.role !== "assistant") return [];
  return (message.tool_calls ?? []).map((call) => ({ id: call.id, name: call.function.name }));
}
