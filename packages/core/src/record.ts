import type { EventDraft, RunEvent } from "./events.ts";
import { sha256 } from "./json.ts";

/**
 * The append-only log of what happened. `seq` and `time` are given here, never by a backend.
 *
 * Contract: `append` is synchronous and has taken the event when it returns; `tool.started` is appended before the
 * tool runs, and `tool.finished` before the model is told.
 */
export interface EventRecord {
  append(runId: string, draft: EventDraft): RunEvent;
  /** All events of a run in their order; empty for a run that is not known. */
  events(runId: string): readonly RunEvent[];
  /** Keeps a content whole and returns its id, the SHA-256 of its bytes. */
  putArtifact(content: string): string;
  artifact(id: string): string | undefined;
}

/**
 * A record in memory. It keeps the newest `maxRuns` runs that were begun and their artifacts, so that a process that
 * runs for weeks does not grow with every call.
 */
export function createMemoryRecord({ now = Date.now, maxRuns = 200 } = {}): EventRecord {
  const runs = new Map<string, RunEvent[]>();
  const artifacts = new Map<string, string>();
  return {
    append(runId, draft) {
      const events = runs.get(runId) ?? beginRun(runs, runId, maxRuns);
      const event: RunEvent = { seq: events.length + 1, time: now(), runId, ...draft };
      events.push(event);
      return event;
    },
    events: (runId) => runs.get(runId) ?? [],
    putArtifact(content) {
      const id = sha256(content);
      artifacts.delete(id);
      artifacts.set(id, content);
      dropOldest(artifacts, maxRuns * artifactsPerRun);
      return id;
    },
    artifact: (id) => artifacts.get(id),
  };
}

const artifactsPerRun = 8;

function beginRun(runs: Map<string, RunEvent[]>, runId: string, maxRuns: number): RunEvent[] {
  const events: RunEvent[] = [];
  runs.set(runId, events);
  dropOldest(runs, maxRuns);
  return events;
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    map.delete(key);
  }
}
