import { createHash } from "node:crypto";
import type { Conversation, PastAnswer, ToolResult } from "../engine/conversation.ts";
import { findPrompts } from "./prompts.ts";
import { type ContentBlock, type Message, type MessagesRequest, textOf } from "./request.ts";

/** Reads the state of the conversation from the history in a request. */
export function toConversation(request: MessagesRequest): Conversation {
  const messages = request.messages.filter(({ role }) => role !== "system");
  const prompts = findPrompts(request, messages);
  const newest = prompts.at(-1) ?? { text: "", index: 0 };
  const names = toolNames(messages);
  const objectTool = findObjectTool(request);
  return {
    id: conversationId(request, prompts[0]?.text),
    system: (request.system ?? []).flatMap(({ text }) => text ?? []).join("\n"),
    user: newest.text,
    turn: Math.max(prompts.length, 1),
    answers: toAnswers(messages.slice(newest.index + 1), names),
    results: messages.flatMap((message) => toResults(message, names)),
    offered: request.tools.map(({ name }) => name),
    ...(objectTool !== undefined && { objectTool }),
  };
}

/** Messages of the model in a row are one answer: some hosts write one for each part of it. */
function toAnswers(messages: readonly Message[], names: ReadonlyMap<string, string>): PastAnswer[] {
  const starts = messages.flatMap(({ role }, index) =>
    role === "assistant" && messages[index - 1]?.role !== "assistant" ? [index] : [],
  );
  return starts.map((start, order) => ({
    results: messages.slice(start, starts[order + 1]).flatMap((message) => toResults(message, names)),
  }));
}

function toResults({ content }: Message, names: ReadonlyMap<string, string>): ToolResult[] {
  return content.filter(isResult).map((block) => ({
    tool: names.get(block.tool_use_id ?? "") ?? "",
    text: textOf(block.content),
  }));
}

function toolNames(messages: readonly Message[]): Map<string, string> {
  const calls = messages.flatMap(({ content }) => content.filter(({ type }) => type === "tool_use"));
  return new Map(calls.map(({ id = "", name = "" }) => [id, name]));
}

/** Claude Code asks for an object with a tool named `StructuredOutput`; other clients force a tool of their choice. */
function findObjectTool({ tools, tool_choice: choice }: MessagesRequest): string | undefined {
  if (choice?.type === "tool" && choice.name !== undefined) return choice.name;
  return tools.find(({ name }) => name === "StructuredOutput" || (name === "json" && choice?.type === "any"))?.name;
}

/** Claude Code puts its session into the metadata; without, the first prompt has to tell conversations apart. */
function conversationId({ metadata }: MessagesRequest, first = ""): string {
  return createHash("sha256")
    .update(`${metadata?.user_id ?? ""}\n${first}`)
    .digest("hex");
}

function isResult({ type }: ContentBlock): boolean {
  return type === "tool_result";
}
