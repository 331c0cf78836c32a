/** Builds a conversation from events, as messages that any host can continue from. */
import type { RunEvent } from "../events/events.ts";
import { type HistoryMessage, historyInput, type ToolResultPart } from "../messages/history-message.ts";
import type { PromptMessage, PromptPart } from "../messages/prompt.ts";
import { interruptedWhileAsking } from "./late-reply.ts";
import type { ToolEntry, Transcript, TranscriptEntry } from "./transcript.ts";
import { buildTranscript } from "./transcript-builder.ts";

const neverStarted = "This call was not executed.";
const withoutOutcome: Partial<Record<ToolEntry["state"], string>> = {
  running: "The run ended during this call. It is not known whether the call had an effect.",
  waiting: interruptedWhileAsking,
};

/** Builds the history: texts, tool calls and results, exactly as the model got them. Leaves out reasoning. */
export function buildHistory(events: Iterable<RunEvent>): readonly HistoryMessage[] {
  return transcriptToHistory(buildTranscript(events));
}

/**
 * Converts a transcript to a history. A call without an outcome gets a result that explains it: not executed, or an unknown effect if the
 * call had started.
 */
export function transcriptToHistory({ entries }: Pick<Transcript, "entries">): readonly HistoryMessage[] {
  const from = entries.findLastIndex(({ kind }) => kind === "history");
  const start = entries[from];
  const before: readonly HistoryMessage[] = start?.kind === "history" ? start.messages : [];
  return [...before, ...continueHistory(entries.slice(from + 1), new Set(callIds(before)))];
}

/** Returns the messages of entries that follow a history with these calls. None of the entries may replace the history. */
export function continueHistory(
  entries: readonly TranscriptEntry[],
  calls: ReadonlySet<string>,
): readonly HistoryMessage[] {
  const newId = createCallIds(calls);
  const groups = groupBySteps(entries);
  const messages: HistoryMessage[] = [];
  for (const [index, group] of groups.entries()) messages.push(...toMessages(group, groups[index + 1], newId));
  return messages;
}

/** Lists the call ids of a history. */
export function callIds(messages: readonly HistoryMessage[]): string[] {
  const ids: string[] = [];
  for (const { content } of messages) for (const part of content) if (part.type === "tool-call") ids.push(part.callId);
  return ids;
}

/** Groups the entries of each model response. Every other entry is a separate group. */
function groupBySteps(entries: readonly TranscriptEntry[]): TranscriptEntry[][] {
  const groups: TranscriptEntry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const before = getStep(group?.[0]);
    if (group && before !== undefined && before === getStep(entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function getStep(entry: TranscriptEntry | undefined): number | undefined {
  return entry && "step" in entry ? entry.step : undefined;
}

/** Leaves out a response that was cut off and requested again: the model never saw it. */
function toMessages(
  group: readonly TranscriptEntry[],
  next: readonly TranscriptEntry[] | undefined,
  newId: (callId: string) => string,
): HistoryMessage[] {
  const [first] = group;
  if (first?.kind === "user") return [toMessage(first.message)];
  const wasRepeated = getStep(next?.[0]) !== undefined;
  const calls = group.filter((entry) => entry.kind === "tool").map((call) => ({ ...call, callId: newId(call.callId) }));
  const texts = group.flatMap((entry) => {
    if (entry.kind !== "text" || entry.text.trim() === "") return [];
    return entry.complete || !wasRepeated || calls.length > 0 ? [entry.text] : [];
  });
  const response = [
    ...texts.map((text) => ({ type: "text" as const, text })),
    ...calls.map(({ callId, tool, input }) => ({
      type: "tool-call" as const,
      callId,
      tool,
      input: historyInput(input),
    })),
  ];
  const results = calls.map(toResult);
  return [
    ...(response.length > 0 ? [{ role: "assistant" as const, content: response }] : []),
    ...(results.length > 0 ? [{ role: "user" as const, content: results }] : []),
  ];
}

function toMessage({ role, content }: PromptMessage): HistoryMessage {
  const parts: readonly PromptPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return { role, content: parts };
}

function toResult({ callId, state, output, images }: ToolEntry): ToolResultPart {
  const reply = output ?? withoutOutcome[state] ?? neverStarted;
  return { type: "tool-result", callId, output: reply, isError: state !== "succeeded", ...(images && { images }) };
}

const maxIdLength = 40;

/**
 * Creates a function that gives calls unique short ids. Hosts use different forms of ids, accept only short plain ones, and may repeat ids
 * in each run.
 */
export function createCallIds(earlier: ReadonlySet<string>): (callId: string) => string {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return (callId) => {
    const plain = callId.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, maxIdLength) || "call";
    let id = plain;
    let count = counts.get(plain) ?? 1;
    while (seen.has(id) || earlier.has(id)) {
      count += 1;
      id = `${plain.slice(0, maxIdLength - 1 - String(count).length)}-${count}`;
    }
    counts.set(plain, count);
    seen.add(id);
    return id;
  };
}
