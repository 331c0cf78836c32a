/** The conversation that events tell of, as messages with which any host can go on. */
import type { RunEvent } from "../events/events.ts";
import { type HistoryMessage, historyInput, type ToolResultPart } from "./history-message.ts";
import { interruptedWhileAsking } from "./late-reply.ts";
import type { PromptMessage, PromptPart } from "./prompt.ts";
import { buildTranscript, type ToolEntry, type Transcript, type TranscriptEntry } from "./transcript.ts";

const neverStarted = "This call was not executed.";
const withoutOutcome: Partial<Record<ToolEntry["state"], string>> = {
  running: "The run ended during this call: whether it had an effect is not known.",
  waiting: interruptedWhileAsking,
};

/** What was said and called, byte for byte as the model was told; its reasoning is left out. */
export function buildHistory(events: Iterable<RunEvent>): readonly HistoryMessage[] {
  return transcriptToHistory(buildTranscript(events));
}

/**
 * The same from a transcript. A call that has no outcome on record is answered as not executed, or as unknown where it
 * had started.
 */
export function transcriptToHistory({ entries }: Transcript): readonly HistoryMessage[] {
  const from = entries.findLastIndex(({ kind }) => kind === "history");
  const start = entries[from];
  const messages: HistoryMessage[] = start?.kind === "history" ? [...start.messages] : [];
  const newId = createIds(messages);
  const groups = inSteps(entries.slice(from + 1));
  for (const [index, group] of groups.entries()) messages.push(...messagesOf(group, groups[index + 1], newId));
  return messages;
}

/** Entries of one response of the model together; all others alone. */
function inSteps(entries: readonly TranscriptEntry[]): TranscriptEntry[][] {
  const groups: TranscriptEntry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const before = stepOf(group?.[0]);
    if (group && before !== undefined && before === stepOf(entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function stepOf(entry: TranscriptEntry | undefined): number | undefined {
  return entry && "step" in entry ? entry.step : undefined;
}

/** A response that broke off and was asked for again is in no history: the model was not told what came of it. */
function messagesOf(
  group: readonly TranscriptEntry[],
  next: readonly TranscriptEntry[] | undefined,
  newId: (callId: string) => string,
): HistoryMessage[] {
  const [first] = group;
  if (first?.kind === "user") return [toMessage(first.message)];
  const wasRepeated = stepOf(next?.[0]) !== undefined;
  const calls = group.filter((entry) => entry.kind === "tool").map((call) => ({ ...call, callId: newId(call.callId) }));
  const texts = group.flatMap((entry) => {
    if (entry.kind !== "text" || entry.text.trim() === "") return [];
    return entry.complete || !wasRepeated || calls.length > 0 ? [entry.text] : [];
  });
  const said = [
    ...texts.map((text) => ({ type: "text" as const, text })),
    ...calls.map(({ callId, tool, input }) => ({
      type: "tool-call" as const,
      callId,
      tool,
      input: historyInput(input),
    })),
  ];
  const answered = calls.map(resultOf);
  return [
    ...(said.length > 0 ? [{ role: "assistant" as const, content: said }] : []),
    ...(answered.length > 0 ? [{ role: "user" as const, content: answered }] : []),
  ];
}

function toMessage({ role, content }: PromptMessage): HistoryMessage {
  const parts: readonly PromptPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return { role, content: parts };
}

function resultOf({ callId, state, output }: ToolEntry): ToolResultPart {
  const told = output ?? withoutOutcome[state] ?? neverStarted;
  return { type: "tool-result", callId, output: told, isError: state !== "succeeded" };
}

const longestId = 40;

/** Hosts give ids of their own kind, some the same in every run, and take back only short plain ones. */
function createIds(messages: readonly HistoryMessage[]): (callId: string) => string {
  const parts = messages.flatMap(({ content }) => content);
  const seen = new Set(parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : [])));
  return (callId) => {
    const plain = callId.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, longestId) || "call";
    let id = plain;
    for (let n = 2; seen.has(id); n++) id = `${plain.slice(0, longestId - 1 - String(n).length)}-${n}`;
    seen.add(id);
    return id;
  };
}
