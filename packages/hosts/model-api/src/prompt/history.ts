/** A history as messages of the AI SDK's model interface, which a host is sent like any others. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { HistoryMessage, HistoryPart, PromptPart, ToolCallPart, ToolResultPart } from "@bridle/protocol";
import { toMessage, toToolResult } from "./messages.ts";

/** Throws InvalidRequestError for a message of the model that holds an image or a file, which no host takes back. */
export function toMessages(history: readonly HistoryMessage[], marksErrors: boolean): LanguageModelV4Message[] {
  const parts = history.flatMap(({ content }) => content);
  const names = new Map(parts.filter(isCall).map(({ callId, tool }) => [callId, tool]));
  return history.flatMap(({ role, content }) => {
    const own = content.filter(isPromptPart);
    if (role === "assistant") return [withCalls(toMessage({ role, content: own }), content.filter(isCall))];
    const results = content.filter(isResult).map((result) => {
      const tool = names.get(result.callId) ?? "";
      return toToolResult({ callId: result.callId, tool }, result, marksErrors);
    });
    return [
      ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
      ...(own.length > 0 ? [toMessage({ role, content: own })] : []),
    ];
  });
}

/** Ids that calls of the model had before. */
export function callIdsIn(history: readonly HistoryMessage[]): string[] {
  return history.flatMap(({ content }) => content.filter(isCall).map(({ callId }) => callId));
}

function withCalls(message: LanguageModelV4Message, calls: readonly ToolCallPart[]): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  const made = calls.map(({ callId, tool, input }) => ({
    ...{ type: "tool-call" as const, toolCallId: callId, toolName: tool, input },
  }));
  return { ...message, content: [...message.content, ...made] };
}

function isCall(part: HistoryPart): part is ToolCallPart {
  return part.type === "tool-call";
}

function isResult(part: HistoryPart): part is ToolResultPart {
  return part.type === "tool-result";
}

function isPromptPart(part: HistoryPart): part is PromptPart {
  return !isCall(part) && !isResult(part);
}
