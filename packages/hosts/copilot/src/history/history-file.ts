/**
 * Writes a history in the runtime's own format: a file with one event per line, each with the previous event's id. The runtime continues
 * from such a file as if it had held the conversation itself, including tool calls (observed on 1.0.14).
 */
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolders } from "@bridle/core";
import type { HistoryMessage, HistoryPart, ImagePart, ToolResultPart } from "@bridle/protocol";

export interface HistoryTarget {
  readonly sessionId: string;
  /** The folder with the runtime's settings and sessions. */
  readonly base: string;
  readonly workingDirectory: string;
  readonly model: string;
}

export async function writeSessionHistory(history: readonly HistoryMessage[], target: HistoryTarget): Promise<void> {
  const folder = join(target.base, "session-state", target.sessionId);
  makeFolders(folder);
  const lines = toLines([startEvent(target), ...history.flatMap(toEvents)]);
  await writeFile(join(folder, "events.jsonl"), lines, { mode: 0o600 });
}

interface PlainEvent {
  readonly type: string;
  readonly data: object;
}

function toLines(events: readonly PlainEvent[]): string {
  let parentId: string | null = null;
  const timestamp = new Date().toISOString();
  const lines = events.map((event) => {
    const id = randomUUID();
    const line = JSON.stringify({ ...event, id, timestamp, parentId });
    parentId = id;
    return line;
  });
  return `${lines.join("\n")}\n`;
}

function startEvent({ sessionId, workingDirectory, model }: HistoryTarget): PlainEvent {
  const context = { cwd: workingDirectory };
  const startTime = new Date().toISOString();
  return {
    type: "session.start",
    data: {
      sessionId,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "0.0.0",
      startTime,
      selectedModel: model,
      context,
    },
  };
}

function toEvents({ role, content }: HistoryMessage): PlainEvent[] {
  return role === "assistant" ? [assistantEvent(content)] : userEvents(content);
}

function assistantEvent(content: readonly HistoryPart[]): PlainEvent {
  const toolRequests = content.flatMap((part) =>
    part.type === "tool-call"
      ? [{ toolCallId: part.callId, name: part.tool, arguments: part.input, type: "function" }]
      : [],
  );
  return { type: "assistant.message", data: { messageId: randomUUID(), content: joinTexts(content), toolRequests } };
}

/** Converts a user message to events. Results come first, because each belongs to a call of the message before. */
function userEvents(content: readonly HistoryPart[]): PlainEvent[] {
  const results = content.filter((part) => part.type === "tool-result");
  const images = content.filter((part) => part.type === "image");
  const text = joinTexts(content);
  const events = results.map(resultEvent);
  if (text === "" && images.length === 0) return events;
  const data = { content: text, transformedContent: text, attachments: images.map(toBlobAttachment) };
  return [...events, { type: "user.message", data }];
}

/** Converts a result to a success event, even if the call failed, because the runtime passes on only successful results unchanged. */
function resultEvent({ callId, output, images = [] }: ToolResultPart): PlainEvent {
  const binaryResultsForLlm = images.map(toBinaryResult);
  const result = { content: output, ...(images.length > 0 && { binaryResultsForLlm }) };
  return { type: "tool.execution_complete", data: { toolCallId: callId, success: true, result } };
}

export function toBinaryResult({ data, mediaType }: ImagePart) {
  return { type: "image" as const, data, mimeType: mediaType };
}

export function toBlobAttachment({ data, mediaType }: ImagePart) {
  return { type: "blob" as const, data, mimeType: mediaType };
}

/** Joins the text parts, because a message of the runtime has only one string. */
export function joinTexts(content: readonly HistoryPart[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
