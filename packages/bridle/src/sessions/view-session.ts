import { withoutDeltas } from "@bridle/core";
import {
  addToTotals,
  type EventLog,
  emptyTranscript,
  noTotals,
  pendingApprovals,
  type RunEvent,
  reduceTranscript,
  type TranscriptEntry,
} from "@bridle/protocol";
import { promptText } from "../record/prompt-text.ts";
import type { EntryRow, RunRow, SessionView } from "./session-schemas.ts";

/** All that is on record of a session, for people and programs. */
export function viewSession(record: EventLog, id: string): SessionView {
  const events = withoutDeltas(record, id);
  const starts = events.filter((event) => event.type === "run.started");
  const open = openQuestions(record, id, events);
  const fork = events.find((event) => event.type === "history.replaced" && event.reason === "forked");
  return {
    id,
    startedAt: timeOf(events[0]),
    lastAt: timeOf(events.at(-1)),
    forkedFrom: (fork?.type === "history.replaced" && fork.from) || null,
    labels: starts.at(-1)?.labels ?? {},
    totals: events.reduce(addToTotals, noTotals),
    pendingApprovals: open.map(({ id, runId, tool, input }) => ({ id, run: runId, tool, input })),
    runs: [...Map.groupBy(events, ({ runId }) => runId)].flatMap(([runId, own]) => runOf(runId, own)),
    entries: entriesOf(events, new Set(open.map(({ callId }) => callId))),
  };
}

function timeOf(event: RunEvent | undefined): string {
  return new Date(event?.time ?? 0).toISOString();
}

/** As the record's inbox has them where it has one: it knows of answers that wait for the next run. */
function openQuestions({ approvals }: EventLog, sessionId: string, events: readonly RunEvent[]) {
  return approvals?.open().filter((each) => each.sessionId === sessionId) ?? pendingApprovals(events);
}

/** None for a history that the session begins with. */
function runOf(id: string, events: readonly RunEvent[]): RunRow[] {
  if (events[0]?.type === "history.replaced") return [];
  const started = events.find((event) => event.type === "run.started");
  const result = events.findLast((event) => event.type === "run.finished")?.result;
  return [
    {
      id,
      startedAt: timeOf(events[0]),
      backend: started?.backend ?? null,
      model: started?.model ?? null,
      stopReason: result?.stopReason ?? null,
      error: result?.error?.message ?? null,
    },
  ];
}

/**
 * Folded as one conversation, for a later run may tell what became of an earlier one's call; `asked` are the calls that
 * wait for an answer.
 */
function entriesOf(events: readonly RunEvent[], asked: ReadonlySet<string>): EntryRow[] {
  let transcript = emptyTranscript;
  const begins: { run: string; at: number }[] = [];
  for (const event of events) {
    if (event.type === "run.started") begins.push({ run: event.runId, at: transcript.entries.length });
    transcript = reduceTranscript(transcript, event);
  }
  return transcript.entries.map((entry, index) => ({
    run: begins.findLast(({ at }) => at <= index)?.run ?? null,
    ...describe(entry, asked),
  }));
}

function describe(entry: TranscriptEntry, asked: ReadonlySet<string>): Omit<EntryRow, "run"> {
  switch (entry.kind) {
    case "user":
      return { kind: "user", text: promptText(entry.message) };
    case "text":
    case "reasoning": {
      const { kind, step, text, complete } = entry;
      return { kind, step, text, complete };
    }
    case "tool": {
      const { kind, step, callId, tool, output, durationMs } = entry;
      const state = entry.state === "waiting" && !asked.has(callId) ? "answered" : entry.state;
      return {
        ...{ kind, step, callId, tool, input: entry.edited ?? entry.input, state },
        ...(output !== undefined && { output }),
        ...(durationMs !== undefined && { durationMs }),
      };
    }
    case "history":
      return { kind: "history", reason: entry.reason, messages: entry.messages.length };
  }
}
