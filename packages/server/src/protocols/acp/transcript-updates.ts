/** Converts a recorded session to updates for an editor that loads it. Pure. */
import type { ContentBlock, SessionUpdate, ToolCallStatus } from "@agentclientprotocol/sdk";
import {
  type HistoryMessage,
  type PromptMessage,
  promptText,
  type RunEvent,
  type ToolEntry,
  TranscriptBuilder,
  type TranscriptEntry,
} from "@bridle/protocol";
import { textChunk } from "./message-updates.ts";
import { type ToolUpdates, toCallContent } from "./tool-updates.ts";

/** Converts the events without voided text. The calls are added to `calls`, so that later events can update them. */
export function transcriptUpdates(events: Iterable<RunEvent>, calls: ToolUpdates): SessionUpdate[] {
  const transcript = new TranscriptBuilder();
  for (const event of events) transcript.add(event);
  return transcript.transcript().entries.flatMap((entry, index) => entryUpdates(entry, `loaded-${index + 1}`, calls));
}

function entryUpdates(entry: TranscriptEntry, id: string, calls: ToolUpdates): SessionUpdate[] {
  switch (entry.kind) {
    case "user":
      return promptBlocks(entry.message).map((content) => ({
        sessionUpdate: "user_message_chunk" as const,
        messageId: id,
        content,
      }));
    case "text":
      return [textChunk("agent_message_chunk", entry.text, id)];
    case "reasoning":
      return [textChunk("agent_thought_chunk", entry.text, id)];
    case "tool":
      return [toolUpdate(entry, id, calls)];
    case "history":
      return entry.reason === "forked" ? entry.messages.flatMap((message, at) => forked(message, `${id}-${at}`)) : [];
  }
}

function promptBlocks(message: PromptMessage): ContentBlock[] {
  const parts = typeof message.content === "string" ? [] : message.content;
  const images = parts.flatMap((part) => (part.type === "image" ? [part] : []));
  return [
    { type: "text", text: promptText(message) },
    ...images.map(({ data, mediaType }) => ({ type: "image" as const, data, mimeType: mediaType })),
  ];
}

/** Converts the conversation that a fork continues. Its calls belong to the other session. */
function forked({ role, content }: HistoryMessage, id: string): SessionUpdate[] {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  if (text === "") return [];
  return [textChunk(role === "user" ? "user_message_chunk" : "agent_message_chunk", text, id)];
}

const states: Readonly<Record<ToolEntry["state"], ToolCallStatus>> = {
  requested: "pending",
  waiting: "pending",
  running: "in_progress",
  denied: "failed",
  succeeded: "completed",
  failed: "failed",
};

function toolUpdate(
  { callId, tool, input, edited, state, output = "", images }: ToolEntry,
  runId: string,
  calls: ToolUpdates,
) {
  const { id, content, ...call } = calls.begin({ runId, callId, tool, input: edited ?? input });
  return {
    sessionUpdate: "tool_call" as const,
    toolCallId: id,
    status: states[state],
    ...call,
    content: [...content, ...toCallContent(output, images)],
  };
}
