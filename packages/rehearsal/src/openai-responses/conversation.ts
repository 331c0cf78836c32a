import type { RehearsedConversation } from "../engine/conversation.ts";
import { toConversationId } from "../engine/conversation-id.ts";
import { firstPrompt, readHistory, type ScriptHistoryEntry } from "../engine/history.ts";
import { joinOpenAIText } from "../openai/content.ts";
import { findObjectTool } from "../openai/object-tool.ts";
import type { Item, ResponsesRequest } from "./request.ts";

/** Reads the state of the conversation from the items in a request. */
export function toResponsesConversation(request: ResponsesRequest): RehearsedConversation {
  return toConversation(request, request.input.flatMap(toEntries));
}

/**
 * Reads the conversation of a request from Codex. If an answer broke off, Codex sends the complete parts again at the end, and the model
 * continues.
 */
export function toCodexConversation(request: ResponsesRequest): RehearsedConversation {
  const entries = request.input.flatMap(toEntries);
  return toConversation(request, entries.slice(0, entries.findLastIndex(({ kind }) => kind !== "answer") + 1));
}

function toConversation(request: ResponsesRequest, entries: ScriptHistoryEntry[]): RehearsedConversation {
  const choice = request.tool_choice;
  const offered = request.tools.flatMap(({ name }) => name ?? []);
  const added = request.input.flatMap(({ tools }) => tools ?? []).flatMap(({ tools = [] }) => tools);
  const customTools = [...request.tools, ...added]
    .filter(({ type }) => type === "custom")
    .flatMap(({ name }) => name ?? []);
  const objectTool = typeof choice === "object" ? choice.name : findObjectTool(offered);
  return {
    ...readHistory(entries),
    id: toConversationId(request.prompt_cache_key, firstPrompt(entries)),
    system: [request.instructions ?? "", ...request.input.flatMap(systemText)].filter(Boolean).join("\n"),
    offered,
    customTools,
    objectTool,
  };
}

/** Returns the entries of an item: text, reasoning, a call or its result, or a reference to a stored item. */
function toEntries(item: Item): ScriptHistoryEntry[] {
  if (item.role === "user") return [{ kind: "prompt", text: joinOpenAIText(item.content) }];
  if (item.role === "assistant") return [{ kind: "answer", calls: [] }];
  if (item.type === "function_call" || item.type === "custom_tool_call")
    return [{ kind: "answer", calls: [{ id: item.call_id ?? "", name: item.name ?? "" }] }];
  if (item.type === "reasoning" || item.type === "item_reference") return [{ kind: "answer", calls: [] }];
  if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return [];
  return [{ kind: "results", results: [{ id: item.call_id ?? "", text: joinOpenAIText(item.output) }] }];
}

function systemText({ role, content }: Item): string[] {
  return role === "system" || role === "developer" ? [joinOpenAIText(content)] : [];
}
