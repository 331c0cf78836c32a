import type { RehearsedConversation } from "../engine/conversation.ts";
import { toConversationId } from "../engine/conversation-id.ts";
import { firstPrompt, readHistory, type ScriptHistoryEntry } from "../engine/history.ts";
import { cutOffNote, ownResult, ownWords } from "./host-notes.ts";
import { findPrompts } from "./prompts.ts";
import { type AnthropicMessage, type MessagesRequest, type RequestBlock, readAnthropicTexts } from "./request.ts";

/** Reads the state of the conversation from the history in a request. */
export function toAnthropicConversation(request: MessagesRequest): RehearsedConversation {
  const messages = request.messages.filter(({ role }) => role !== "system");
  const entries = messages
    .filter(({ role }, index) => role !== "assistant" || !isCutOffNote(messages[index + 1]))
    .flatMap((message) => toEntries(message, request));
  const objectTool = findObjectTool(request);
  return {
    ...readHistory(entries),
    id: toConversationId(sessionOf(request), firstPrompt(entries)),
    system: (request.system ?? []).flatMap(({ text }) => text ?? []).join("\n"),
    offered: request.tools.map(({ name }) => name),
    objectTool,
  };
}

/** Whether a message contains only the note about a cut answer. The text before it then belongs to an incomplete answer. */
function isCutOffNote(message: AnthropicMessage | undefined): boolean {
  const texts = message?.content.map(({ text }) => text?.trimStart() ?? "") ?? [];
  return (
    texts.some((text) => text.startsWith(cutOffNote)) && texts.every((text) => text !== "" && ownWords(text) === "")
  );
}

/** Reads a user message, which may contain results, prompts, both, or only text that the host added. */
function toEntries(message: AnthropicMessage, request: MessagesRequest): ScriptHistoryEntry[] {
  const { role, content } = message;
  if (role === "assistant") return [{ kind: "answer", calls: content.filter(isCall).map(toCall) }];
  const prompts = findPrompts(request, message).map((text) => ({ kind: "prompt" as const, text }));
  return [{ kind: "results", results: content.filter(isResult).map(toResult) }, ...prompts];
}

function toCall({ id = "", name = "" }: RequestBlock) {
  return { id, name };
}

function toResult({ tool_use_id: id = "", content }: RequestBlock) {
  return { id, text: ownResult(readAnthropicTexts(content)) };
}

/**
 * Finds the tool that the client uses to request an object: Claude Code offers `StructuredOutput`, other clients force a tool of their
 * choice.
 */
function findObjectTool({ tools, tool_choice: choice }: MessagesRequest): string | undefined {
  if (choice?.type === "tool" && choice.name !== undefined) return choice.name;
  return tools.find(({ name }) => name === "StructuredOutput" || (name === "json" && choice?.type === "any"))?.name;
}

/**
 * Returns the session that Claude Code adds to the metadata. The device id in the metadata can change between two requests, if several
 * processes use a new configuration folder at the same time (observed on 2.1.330).
 */
function sessionOf({ metadata }: MessagesRequest): string | undefined {
  const user = metadata?.user_id ?? undefined;
  return /"session_id":"([^"]+)"/.exec(user ?? "")?.[1] ?? user;
}

function isResult({ type }: RequestBlock): boolean {
  return type === "tool_result";
}

function isCall({ type }: RequestBlock): boolean {
  return type === "tool_use";
}
