import type { EventLog, EventOf, RunEvent, SessionSummary } from "@bridle/protocol";
import { promptText } from "../record/prompt-text.ts";
import { oneLine } from "../run/format.ts";
import { isOfTest } from "./find-session.ts";
import type { SessionList, SessionRow } from "./session-schemas.ts";

/** Characters of a prompt that a list has room for. */
const longestWords = 200;

export interface ListOptions {
  /** So many at most. Default: all. */
  readonly last?: number | undefined;
  /** Those of test cases, and no others. Default: false, and no test cases. */
  readonly tests?: boolean | undefined;
}

/** The sessions on record, the newest first. Reads the beginning and the end of each only. */
export function listSessions(record: EventLog, { last, tests = false }: ListOptions = {}): SessionList {
  const sessions = record
    .sessions()
    .filter((session) => isOfTest(session) === tests)
    .slice(0, last);
  return { sessions: sessions.map((session) => describe(record, session)) };
}

function describe(record: EventLog, { sessionId, startedAt, lastAt, runs }: SessionSummary): SessionRow {
  const [newest] = record.runs({ sessionId, last: 1 });
  const started = newest && startOf(record, newest.runId);
  const { prompt, forkedFrom } = beginningOf(record, sessionId);
  return {
    id: sessionId,
    startedAt: new Date(startedAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    forkedFrom: forkedFrom ?? null,
    labels: started?.labels ?? {},
    runs,
    inProgress: newest !== undefined && !newest.ended,
    firstWords: prompt === undefined ? null : oneLine(prompt, longestWords),
    backend: started?.backend ?? null,
    model: started?.model ?? null,
  };
}

function startOf(record: EventLog, runId: string): EventOf<"run.started"> | undefined {
  return record.events({ runId, limit: 1 }).find((event) => event.type === "run.started");
}

/** What is known of a session before its first answer. */
function beginningOf(record: EventLog, sessionId: string): { prompt?: string; forkedFrom?: string } {
  let origin: { forkedFrom?: string } = {};
  for (const event of inPages(record, sessionId)) {
    if (event.type === "history.replaced" && event.reason === "forked") origin = forkOf(event);
    const message = event.type === "model.input" ? event.messages.at(-1) : undefined;
    if (message) return { ...origin, prompt: promptText(message) };
  }
  return origin;
}

function forkOf({ from }: EventOf<"history.replaced">): { forkedFrom?: string } {
  return from === undefined ? {} : { forkedFrom: from };
}

const pageLength = 20;

/** All events from the first, of which no more is read than is asked for. */
function* inPages(record: EventLog, sessionId: string): Generator<RunEvent> {
  for (let from = 1; ; from += pageLength) {
    const page = record.events({ sessionId, from, limit: pageLength });
    yield* page;
    if (page.length < pageLength) return;
  }
}
