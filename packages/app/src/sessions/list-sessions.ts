import type { EventLog, SessionSummary } from "@bridle/protocol";
import { isTestSession, readSessions } from "../events/find-session.ts";
import { fitOnLine } from "../text/one-line.ts";
import type { SessionList, SessionRow } from "./session-schemas.ts";

/** The number of characters of a prompt in a list. */
const maxWordsLength = 200;

export interface ListOptions {
  /** The maximum number of sessions to list. Default: all. */
  readonly last?: number | undefined;
  /** Whether to list the sessions of test cases. Default: false, which lists all other sessions. */
  readonly tests?: boolean | undefined;
}

/** Lists the sessions, the newest first. Reads only the list, in pages, and no events. */
export async function listSessions(
  eventLog: Pick<EventLog, "sessions">,
  { last = Number.POSITIVE_INFINITY, tests = false }: ListOptions = {},
): Promise<SessionList> {
  const sessions: SessionRow[] = [];
  for await (const session of readSessions(eventLog, last)) {
    if (isTestSession(session) !== tests) continue;
    sessions.push(describeSession(session));
    if (sessions.length >= last) break;
  }
  return { sessions };
}

/** Describes one session of the list. */
export function describeSession({
  sessionId,
  startedAt,
  lastAt,
  runs,
  labels,
  newest,
  forkedFrom,
  parentRunId,
  parentSessionId,
  firstPrompt,
}: SessionSummary): SessionRow {
  return {
    id: sessionId,
    startedAt: new Date(startedAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    forkedFrom: forkedFrom ?? null,
    parentRun: parentRunId ?? null,
    parentSession: parentSessionId ?? null,
    labels: labels ?? {},
    runs,
    inProgress: newest !== undefined && !newest.ended,
    firstWords: firstPrompt === undefined ? null : fitOnLine(firstPrompt, maxWordsLength),
    backend: newest?.backend ?? null,
    model: newest?.model ?? null,
  };
}
