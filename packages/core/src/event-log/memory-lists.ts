/** Lists the runs and sessions of an event log in memory. */
import type {
  RunEvent,
  RunQuery,
  RunScope,
  RunSummary,
  SessionOutline,
  SessionQuery,
  SessionSummary,
} from "@bridle/protocol";

export interface KeptSession {
  readonly events: readonly RunEvent[];
  outline: SessionOutline;
  runs: number;
}

export interface KeptRun {
  readonly scope: RunScope;
  readonly startedAt: number;
  ended: boolean;
}

/** Lists runs. `kept` has them by id, oldest first. */
export function listKeptRuns(kept: ReadonlyMap<string, KeptRun>, query: RunQuery = {}): readonly RunSummary[] {
  const { sessionId, last, after } = query;
  if (after !== undefined && !kept.has(after.runId)) return [];
  const all = [...kept.values()].reverse();
  const first = after === undefined ? 0 : all.findIndex(({ scope }) => scope.runId === after.runId) + 1;
  const found = all.slice(first).filter(({ scope }) => sessionId === undefined || scope.sessionId === sessionId);
  return found.slice(0, last).map(({ scope, startedAt, ended }) => ({ ...scope, startedAt, ended }));
}

export function listKeptSessions(
  kept: ReadonlyMap<string, KeptSession>,
  { last, after }: SessionQuery = {},
): readonly SessionSummary[] {
  const all = [...kept].flatMap(([id, session]) => summarize(id, session));
  const found = after === undefined ? all : all.filter((session) => comesAfter(session, after));
  return found.sort((a, b) => (comesAfter(a, b) ? 1 : -1)).slice(0, last);
}

/** Whether a session is listed after the place of another session, even if that session is gone. */
function comesAfter(session: SessionSummary, { lastAt, sessionId }: NonNullable<SessionQuery["after"]>): boolean {
  return session.lastAt < lastAt || (session.lastAt === lastAt && session.sessionId < sessionId);
}

function summarize(sessionId: string, { events, outline, runs }: KeptSession): SessionSummary[] {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ sessionId, startedAt: first.time, lastAt: last.time, lastSeq: last.seq, runs, ...outline }];
}
