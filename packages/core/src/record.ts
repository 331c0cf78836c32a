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

/** Text of artifacts that a memory record keeps, in characters. */
const artifactChars = 64_000_000;

/**
 * A record in memory. It keeps the runs in progress, the newest `maxRuns` of those that have ended, and the newest
 * artifacts, so that a process that runs for weeks does not grow with every call.
 */
export function createMemoryRecord({
  now = Date.now,
  maxRuns = 200,
  maxArtifactChars = artifactChars,
} = {}): EventRecord {
  const runs = new Map<string, RunEvent[]>();
  const ended = new Set<string>();
  const artifacts = createArtifacts(maxArtifactChars);

  function forgetOldest(): void {
    for (const runId of ended) {
      if (ended.size <= maxRuns) return;
      ended.delete(runId);
      runs.delete(runId);
    }
  }

  return {
    append(runId, draft) {
      const events = runs.get(runId) ?? [];
      runs.set(runId, events);
      const event: RunEvent = { seq: events.length + 1, time: now(), runId, ...draft };
      events.push(event);
      if (event.type === "run.finished") {
        ended.add(runId);
        forgetOldest();
      }
      return event;
    },
    events: (runId) => runs.get(runId) ?? [],
    putArtifact: artifacts.put,
    artifact: artifacts.get,
  };
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
