/** Converts a history to messages of the AI SDK's model interface. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { HistoryMessage, HistoryPart, PromptPart, ToolCallPart, ToolResultPart } from "@bridle/protocol";
import { imagesAfterResults, type ResultForm, toLanguageModelMessage, toToolResult } from "./messages.ts";

/** Converts a history. Throws an InvalidRequestError if an assistant message contains an image or a file, which no host accepts. */
export function toMessages(history: readonly HistoryMessage[], form: ResultForm): LanguageModelV4Message[] {
  const parts = history.flatMap(({ content }) => content);
  const names = new Map(parts.filter(isToolCall).map(({ callId, tool }) => [callId, tool]));
  return history.flatMap(({ role, content }) => {
    const own = content.filter(isPromptPart);
    if (role === "assistant")
      return [withCalls(toLanguageModelMessage({ role, content: own }), content.filter(isToolCall))];
    const results = content.filter(isResult).map((result) => {
      const tool = names.get(result.callId) ?? "";
      return toToolResult({ callId: result.callId, tool }, result, form);
    });
    return [
      ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
      ...imagesAfterResults(content.filter(isResult), form),
      ...(own.length > 0 ? [toLanguageModelMessage({ role, content: own })] : []),
    ];
  });
}

function withCalls(message: LanguageModelV4Message, calls: readonly ToolCallPart[]): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  const added = calls.map(({ callId, tool, input }) => {
    return { type: "tool-call" as const, toolCallId: callId, toolName: tool, input };
  });
  return { ...message, content: [...message.content, ...added] };
}

/** Whether a part of a message is a tool call. */
export function isToolCall(part: HistoryPart): part is ToolCallPart {
  return part.type === "tool-call";
}

function isResult(part: HistoryPart): part is ToolResultPart {
  return part.type === "tool-result";
}

function isPromptPart(part: HistoryPart): part is PromptPart {
  return !isToolCall(part) && !isResult(part);
}
