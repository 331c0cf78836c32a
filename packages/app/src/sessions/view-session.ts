import { readWithoutDeltas } from "@bridle/core";
import {
  addToTotals,
  type EventLog,
  noTotals,
  omitUndefined,
  pendingApprovals,
  promptText,
  type RunEvent,
  TranscriptBuilder,
  type TranscriptEntry,
} from "@bridle/protocol";
import type { EntryRow, RunRow, SessionView } from "./session-schemas.ts";

/** Returns a session as data: its runs, their conversation, open questions and totals. */
export async function viewSession(eventLog: EventLog, id: string): Promise<SessionView> {
  const events = await readWithoutDeltas(eventLog, id);
  const starts = events.filter((event) => event.type === "run.started");
  const called = starts.findLast(({ parentRunId }) => parentRunId !== undefined);
  const open = await findOpenQuestions(eventLog, id, events);
  const fork = events.find((event) => event.type === "history.replaced" && event.reason === "forked");
  return {
    id,
    startedAt: formatTime(events[0]),
    lastAt: formatTime(events.at(-1)),
    forkedFrom: (fork?.type === "history.replaced" && fork.from) || null,
    parentRun: called?.parentRunId ?? null,
    parentSession: called?.parentSessionId ?? null,
    labels: starts.at(-1)?.labels ?? {},
    totals: events.reduce(addToTotals, noTotals),
    pendingApprovals: open.map(({ id, runId, tool, input }) => ({ id, run: runId, tool, input })),
    runs: [...Map.groupBy(events, ({ runId }) => runId)].flatMap(([runId, own]) => describeRun(runId, own)),
    entries: describeEntries(events, new Set(open.map(({ callId }) => callId))),
  };
}

function formatTime(event: RunEvent | undefined): string {
  return new Date(event?.time ?? 0).toISOString();
}

/** Finds the open questions. The event log's approval store also knows the answers that wait for the next run. */
async function findOpenQuestions({ approvals }: EventLog, sessionId: string, events: readonly RunEvent[]) {
  const open = await approvals?.open();
  return open?.filter((each) => each.sessionId === sessionId) ?? pendingApprovals(events);
}

/** Describes a run. Empty for the history at the start of a session. */
function describeRun(id: string, events: readonly RunEvent[]): RunRow[] {
  if (events[0]?.type === "history.replaced") return [];
  const started = events.find((event) => event.type === "run.started");
  const result = events.findLast((event) => event.type === "run.finished")?.result;
  return [
    {
      id,
      startedAt: formatTime(events[0]),
      backend: started?.backend ?? null,
      model: started?.model ?? null,
      stopReason: result?.stopReason ?? null,
      error: result?.error?.message ?? null,
    },
  ];
}

/**
 * Folds all events as one conversation, because a later run can contain the result of an earlier run's call. `asked` lists the calls that
 * wait for an answer.
 */
function describeEntries(events: readonly RunEvent[], asked: ReadonlySet<string>): EntryRow[] {
  const transcript = new TranscriptBuilder();
  const begins: { run: string; at: number }[] = [];
  for (const event of events) {
    if (event.type === "run.started") begins.push({ run: event.runId, at: transcript.length });
    transcript.add(event);
  }
  let begun = 0;
  return transcript.transcript().entries.map((entry, index) => {
    while ((begins[begun]?.at ?? Number.POSITIVE_INFINITY) <= index) begun += 1;
    return { run: begins[begun - 1]?.run ?? null, ...describeEntry(entry, asked) };
  });
}

function describeEntry(entry: TranscriptEntry, asked: ReadonlySet<string>): Omit<EntryRow, "run"> {
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
      const nested = entry.nested?.map(({ runId, sessionId }) => ({ run: runId, session: sessionId ?? null }));
      const state = entry.state === "waiting" && !asked.has(callId) ? "answered" : entry.state;
      return {
        kind,
        step,
        callId,
        tool,
        input: entry.edited ?? entry.input,
        state,
        ...omitUndefined({ output, durationMs, nested }),
      };
    }
    case "history":
      return { kind: "history", reason: entry.reason, messages: entry.messages.length };
  }
}
