/**
 * Writes a history in Claude Code's own format: a file with one entry per line, each with the previous entry's id. The host continues from
 * such a file as if it had held the conversation itself, including tool calls (observed on 2.1.330).
 */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ConversationSpec,
  type HistoryMessage,
  type HistoryPart,
  omitUndefined,
  type PromptPart,
  type ToolResultPart,
} from "@bridle/protocol";
import { installedVersions } from "../boundary/versions.ts";
import { type HostContent, toHostPart, toImage } from "../messages/prompt.ts";
import { hostToolName } from "../tools/tool-names.ts";

/**
 * Splits off the messages that the model never answered because the run was stopped. Send these together with the next message: if a
 * history ends with a user message, the host adds an answer of its own.
 */
export function splitUnanswered(history: readonly HistoryMessage[]): {
  history: readonly HistoryMessage[];
  unanswered: readonly PromptPart[];
} {
  const answered = history.findLastIndex(({ role, content }) => role === "assistant" || !content.every(isPromptPart));
  const unanswered = history.slice(answered + 1).flatMap(({ content }) => content.filter(isPromptPart));
  return { history: history.slice(0, answered + 1), unanswered };
}

/** Returns descriptions of what the host adds to a history: an answer to results that the model never saw (observed on 2.1.330). */
export function addedToHistory(history: readonly HistoryMessage[]): string[] {
  if (splitUnanswered(history).history.at(-1)?.role !== "user") return [];
  return ["after tool results that the model never saw, an answer with the statement that no response was requested"];
}

/**
 * Writes the history of a conversation to a file for the host, and returns its path. Returns undefined if the history is
 * empty.
 */
export function writeHistory(spec: ConversationSpec, folder: string): string | undefined {
  if (spec.history.length === 0) return undefined;
  const path = join(folder, "history.jsonl");
  writeFileSync(
    path,
    toEntries(spec)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(""),
    { mode: 0o600 },
  );
  return path;
}

function toEntries({ history, model, builtins, projectDir }: ConversationSpec): object[] {
  const sessionId = randomUUID();
  const timestamp = new Date().toISOString();
  const uuids = history.map(() => randomUUID());
  return history.map((message, index) => ({
    type: message.role,
    uuid: uuids[index],
    parentUuid: uuids[index - 1] ?? null,
    sessionId,
    timestamp,
    cwd: projectDir,
    version: installedVersions().claudeCode,
    isSidechain: false,
    userType: "external",
    message: toEntryMessage(message, model, builtins),
  }));
}

function toEntryMessage({ role, content }: HistoryMessage, model: string, builtins: readonly string[]): object {
  const blocks = content.map((part) => toBlock(part, builtins));
  if (role === "user") return { role, content: blocks };
  const usage = { input_tokens: 0, output_tokens: 0 };
  return { type: "message", role, model, content: blocks, stop_reason: "end_turn", usage };
}

function toBlock(part: HistoryPart, builtins: readonly string[]): HostContent {
  switch (part.type) {
    case "tool-call": {
      const name = builtins.includes(part.tool) ? part.tool : hostToolName(part.tool);
      return { type: "tool_use", id: part.callId, name, input: part.input };
    }
    case "tool-result":
      return omitUndefined({
        type: "tool_result" as const,
        tool_use_id: part.callId,
        content: toResultContent(part),
        is_error: (part.isError && !part.images?.length) || undefined, // the API refuses images in an error
      });
    default:
      return toHostPart(part);
  }
}

/** Converts the content of a result, without a blank block, which the API refuses. */
function toResultContent({ output, images = [] }: ToolResultPart) {
  if (output.trim() !== "") return [{ type: "text" as const, text: output }, ...images.map(toImage)];
  return images.length > 0 ? images.map(toImage) : output;
}

function isPromptPart(part: HistoryPart): part is PromptPart {
  return part.type !== "tool-call" && part.type !== "tool-result";
}
