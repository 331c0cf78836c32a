import type { EventLog, EventOf, RunEvent, SessionSummary } from "@bridle/protocol";
import { promptText } from "../events/prompt-text.ts";
import { fitOnLine } from "../text/one-line.ts";
import { isTestSession } from "./find-session.ts";
import type { SessionList, SessionRow } from "./session-schemas.ts";

/** Characters of a prompt in a list. */
const longestWords = 200;

export interface ListOptions {
  /** The most sessions to list. Default: all. */
  readonly last?: number | undefined;
  /** List only the sessions of test cases. Default: false, which lists all other sessions. */
  readonly tests?: boolean | undefined;
}

/** Lists the sessions, the newest first. Reads only the beginning and the end of each. */
export function listSessions(eventLog: EventLog, { last, tests = false }: ListOptions = {}): SessionList {
  const sessions = eventLog
    .sessions()
    .filter((session) => isTestSession(session) === tests)
    .slice(0, last);
  return { sessions: sessions.map((session) => describe(eventLog, session)) };
}

function describe(eventLog: EventLog, { sessionId, startedAt, lastAt, runs }: SessionSummary): SessionRow {
  const [newest] = eventLog.runs({ sessionId, last: 1 });
  const started = newest && findStart(eventLog, newest.runId);
  const { prompt, forkedFrom } = readBeginning(eventLog, sessionId);
  return {
    id: sessionId,
    startedAt: new Date(startedAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    forkedFrom: forkedFrom ?? null,
    labels: started?.labels ?? {},
    runs,
    inProgress: newest !== undefined && !newest.ended,
    firstWords: prompt === undefined ? null : fitOnLine(prompt, longestWords),
    backend: started?.backend ?? null,
    model: started?.model ?? null,
  };
}

function findStart(eventLog: EventLog, runId: string): EventOf<"run.started"> | undefined {
  return eventLog.events({ runId, limit: 1 }).find((event) => event.type === "run.started");
}

/** The first prompt of a session, and the session that it was forked from. */
function readBeginning(eventLog: EventLog, sessionId: string): { prompt?: string; forkedFrom?: string } {
  let origin: { forkedFrom?: string } = {};
  for (const event of readPages(eventLog, sessionId)) {
    if (event.type === "history.replaced" && event.reason === "forked") origin = findOrigin(event);
    const message = event.type === "model.input" ? event.messages.at(-1) : undefined;
    if (message) return { ...origin, prompt: promptText(message) };
  }
  return origin;
}

function findOrigin({ from }: EventOf<"history.replaced">): { forkedFrom?: string } {
  return from === undefined ? {} : { forkedFrom: from };
}

const pageLength = 20;

/** Yields the events from the first on, and reads no more than you ask for. */
function* readPages(eventLog: EventLog, sessionId: string): Generator<RunEvent> {
  for (let from = 1; ; from += pageLength) {
    const page = eventLog.events({ sessionId, from, limit: pageLength });
    yield* page;
    if (page.length < pageLength) return;
  }
}
