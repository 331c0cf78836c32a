import {
  describeSession,
  type EventLog,
  type EventQuery,
  isDelta,
  type RunEvent,
  type RunPlace,
} from "@bridle/protocol";
import { createApprovalStore } from "../approvals/approval-store.ts";
import { createEventRedaction } from "../redaction/event-redaction.ts";
import { createRedactor, type Redactor, redactContent } from "../redaction/redactor.ts";
import { sha256 } from "../system/hash.ts";

/** Text of artifacts that a memory record keeps, in characters. */
const artifactChars = 64_000_000;

export interface MemoryEventLogOptions {
  now?: () => number;
  maxRuns?: number;
  maxArtifactChars?: number;
  /** Takes credentials out before they are kept. Default: what looks like one. */
  redactor?: Redactor;
}

interface KeptRun {
  readonly place: RunPlace;
  readonly startedAt: number;
  ended: boolean;
}

/**
 * A record in memory. It keeps sessions until they are removed, runs in progress, the newest `maxRuns` of those that
 * have ended and are of no session, and the newest artifacts, so that a process that runs for weeks does not grow with
 * every call.
 */
export function createMemoryEventLog({
  now = Date.now,
  maxRuns = 200,
  maxArtifactChars = artifactChars,
  redactor = createRedactor(),
}: MemoryEventLogOptions = {}): EventLog {
  const streams = new Map<string, RunEvent[]>();
  const runs = new Map<string, KeptRun>();
  const endedAlone = new Set<string>();
  const artifacts = createArtifacts(maxArtifactChars);
  const redact = createEventRedaction(redactor);
  const answers = new Map<string, { readonly answer?: unknown }>();

  function forgetOldest(): void {
    for (const runId of endedAlone) {
      if (endedAlone.size <= maxRuns) return;
      endedAlone.delete(runId);
      runs.delete(runId);
      streams.delete(streamOf({ runId }));
    }
  }

  function end(place: RunPlace): void {
    const run = runs.get(place.runId);
    if (run) run.ended = true;
    if (place.sessionId === undefined) endedAlone.add(place.runId);
    forgetOldest();
  }

  return {
    append(given, draft) {
      const place = placeOf(given);
      const stream = streamOf(place);
      const events = streams.get(stream) ?? [];
      const event: RunEvent = { seq: events.length + 1, time: now(), ...place, ...redact(place.runId, draft) };
      streams.set(stream, events);
      if (!runs.has(place.runId) && event.type !== "history.replaced") {
        runs.set(place.runId, { place, startedAt: event.time, ended: false });
      }
      events.push(event);
      if (event.type === "approval.decided") answers.delete(event.approvalId);
      if (event.type === "run.finished") end(place);
      return event;
    },
    events(query) {
      if ("sessionId" in query) return select(streams.get(streamOf({ runId: "", ...query })) ?? [], query);
      const events = streams.get(streamOf(runs.get(query.runId)?.place ?? query)) ?? [];
      return select(
        events.filter(({ runId }) => runId === query.runId),
        query,
      );
    },
    runs({ sessionId, last = runs.size } = {}) {
      const found = [...runs.values()].filter(({ place }) => sessionId === undefined || place.sessionId === sessionId);
      return found
        .reverse()
        .slice(0, last)
        .map(({ place, startedAt, ended }) => ({ ...place, startedAt, ended }));
    },
    sessions() {
      const found = [...streams.values()].flatMap((events) => {
        const { sessionId, time: startedAt } = events[0] ?? {};
        const { time: lastAt, seq: lastSeq } = events.at(-1) ?? {};
        if (sessionId === undefined || startedAt === undefined || lastAt === undefined || !lastSeq) return [];
        const own = [...runs.values()].filter(({ place }) => place.sessionId === sessionId);
        const newest = events.findLast(({ type }) => type === "run.started");
        const input = events.find(({ type }) => type === "model.input");
        const told = describeSession(
          newest?.type === "run.started" ? newest : undefined,
          input?.type === "model.input" ? input : undefined,
        );
        return [{ sessionId, startedAt, lastAt, lastSeq, runs: own.length, ...told }];
      });
      return found.sort((a, b) => b.lastAt - a.lastAt);
    },
    removeSession(sessionId) {
      for (const event of streams.get(streamOf({ runId: "", sessionId })) ?? []) {
        if (event.type === "approval.requested") answers.delete(event.approvalId);
      }
      streams.delete(streamOf({ runId: "", sessionId }));
      for (const [runId, { place }] of runs) if (place.sessionId === sessionId) runs.delete(runId);
    },
    putArtifact: (content) => artifacts.put(redactContent(content, redactor)),
    artifact: artifacts.get,
    approvals: createApprovalStore({
      approvalEvents(sessionId) {
        const wanted =
          sessionId === undefined ? [...streams.values()].flat() : streams.get(streamOf({ runId: "", sessionId }));
        return (wanted ?? []).filter(({ type }) => type === "approval.requested" || type === "approval.decided");
      },
      isAlive: ({ runId }) => runs.get(runId)?.ended === false,
      find: (id) => answers.get(id),
      keep: ({ approvalId }, answer) => void answers.set(approvalId, answer === undefined ? {} : { answer }),
      exclusively: (work) => work(),
      redactor,
    }),
  };
}

/** Session and run may have the same id. */
function streamOf({ runId, sessionId }: RunPlace): string {
  return sessionId === undefined ? `run ${runId}` : `session ${sessionId}`;
}

function placeOf({ runId, sessionId }: RunPlace): RunPlace {
  return { runId, ...(sessionId === undefined ? {} : { sessionId }) };
}

function select(events: readonly RunEvent[], query: EventQuery): readonly RunEvent[] {
  const { from = 1, last, limit, withoutDeltas = false } = query;
  const later = from <= 1 ? events : events.filter(({ seq }) => seq >= from);
  const wanted = withoutDeltas ? later.filter((event) => !isDelta(event)) : later;
  const newest = last === undefined ? wanted : wanted.slice(Math.max(0, wanted.length - last));
  return newest.slice(0, limit);
}

/** Keeps the newest contents up to a total of characters, and the very newest whatever its size. */
function createArtifacts(maxChars: number) {
  const contents = new Map<string, string>();
  let chars = 0;

  function drop(id: string): void {
    chars -= contents.get(id)?.length ?? 0;
    contents.delete(id);
  }

  return {
    get: (id: string) => contents.get(id),
    put(content: string): string {
      const id = sha256(content);
      drop(id);
      contents.set(id, content);
      chars += content.length;
      for (const oldest of contents.keys()) {
        if (chars <= maxChars || oldest === id) break;
        drop(oldest);
      }
      return id;
    },
  };
}
