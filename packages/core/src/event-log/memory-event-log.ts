import {
  type AppendOptions,
  type ApprovalStore,
  describeSession,
  type EventDraft,
  type EventLog,
  type EventQuery,
  isDelta,
  omitUndefined,
  type RunEvent,
  type RunScope,
  type SessionSummary,
} from "@bridle/protocol";
import { createApprovalStore } from "../approvals/approval-store.ts";
import { createEventRedaction } from "../redaction/event-redaction.ts";
import { createRedactor, type Redactor, redactContent } from "../redaction/redactor.ts";
import { sha256 } from "../system/hash.ts";

/** The characters of artifacts that a log in memory keeps. */
const artifactChars = 64_000_000;

export interface MemoryEventLogOptions {
  now?: (() => number) | undefined;
  maxRuns?: number | undefined;
  maxArtifactChars?: number | undefined;
  /** Redacts credentials before they are stored. Default: everything that looks like one. */
  redactor?: Redactor | undefined;
}

interface KeptRun {
  readonly scope: RunScope;
  readonly startedAt: number;
  ended: boolean;
}

/**
 * An event log in memory. It keeps sessions until they are removed, runs in progress, the newest `maxRuns` of the ended
 * runs that belong to no session, and the newest artifacts, so that a process that runs for weeks does not grow with
 * every call.
 */
export function createMemoryEventLog(options: MemoryEventLogOptions = {}): EventLog {
  return new MemoryEventLog(options);
}

class MemoryEventLog implements EventLog {
  readonly approvals: ApprovalStore;
  readonly #now: () => number;
  readonly #maxRuns: number;
  readonly #redactor: Redactor;
  readonly #redact: ReturnType<typeof createEventRedaction>;
  readonly #artifacts: Artifacts;
  readonly #streams = new Map<string, RunEvent[]>();
  readonly #runs = new Map<string, KeptRun>();
  readonly #endedAlone = new Set<string>();
  readonly #answers = new Map<string, { readonly answer?: unknown }>();

  constructor({ now = Date.now, maxRuns = 200, maxArtifactChars = artifactChars, redactor }: MemoryEventLogOptions) {
    this.#now = now;
    this.#maxRuns = maxRuns;
    this.#redactor = redactor ?? createRedactor();
    this.#redact = createEventRedaction(this.#redactor);
    this.#artifacts = new Artifacts(maxArtifactChars);
    this.approvals = this.#createApprovals();
  }

  append = (given: RunScope, draft: EventDraft, { excerpts }: AppendOptions = {}): RunEvent => {
    const scope = scopeFrom(given);
    const stream = streamOf(scope);
    const events = this.#streams.get(stream) ?? [];
    const event: RunEvent = {
      seq: events.length + 1,
      time: this.#now(),
      ...scope,
      ...this.#redact(scope.runId, draft, excerpts),
    };
    this.#streams.set(stream, events);
    if (!this.#runs.has(scope.runId) && event.type !== "history.replaced") {
      this.#runs.set(scope.runId, { scope, startedAt: event.time, ended: false });
    }
    events.push(event);
    if (event.type === "approval.decided") this.#answers.delete(event.approvalId);
    if (event.type === "run.finished") this.#end(scope);
    return event;
  };

  events = (query: EventQuery): readonly RunEvent[] => {
    if ("sessionId" in query) return select(this.#streams.get(streamOf({ runId: "", ...query })) ?? [], query);
    const events = this.#streams.get(streamOf(this.#runs.get(query.runId)?.scope ?? query)) ?? [];
    const own = events.filter(({ runId }) => runId === query.runId);
    return select(own, query);
  };

  runs: EventLog["runs"] = ({ sessionId, last = this.#runs.size } = {}) => {
    const found = [...this.#runs.values()].filter(
      ({ scope }) => sessionId === undefined || scope.sessionId === sessionId,
    );
    const newest = found.reverse().slice(0, last);
    return newest.map(({ scope, startedAt, ended }) => ({ ...scope, startedAt, ended }));
  };

  sessions = (): readonly SessionSummary[] => {
    const found = [...this.#streams.values()].flatMap((events) => this.#summarize(events) ?? []);
    return found.sort((a, b) => b.lastAt - a.lastAt);
  };

  removeSession = (sessionId: string): void => {
    for (const event of this.#streams.get(streamOf({ runId: "", sessionId })) ?? []) {
      if (event.type === "approval.requested") this.#answers.delete(event.approvalId);
    }
    this.#streams.delete(streamOf({ runId: "", sessionId }));
    for (const [runId, { scope }] of this.#runs) if (scope.sessionId === sessionId) this.#runs.delete(runId);
  };

  putArtifact = (content: string): string => this.#artifacts.put(redactContent(content, this.#redactor));

  artifact = (id: string): string | undefined => this.#artifacts.get(id);

  #createApprovals(): ApprovalStore {
    return createApprovalStore({
      approvalEvents: (sessionId) => {
        const stream = sessionId === undefined ? undefined : this.#streams.get(streamOf({ runId: "", sessionId }));
        const events = sessionId === undefined ? [...this.#streams.values()].flat() : (stream ?? []);
        return events.filter(({ type }) => type === "approval.requested" || type === "approval.decided");
      },
      isAlive: ({ runId }) => this.#runs.get(runId)?.ended === false,
      find: (id) => this.#answers.get(id),
      save: ({ approvalId }, answer) => void this.#answers.set(approvalId, omitUndefined({ answer })),
      exclusively: (work) => work(),
      redactor: this.#redactor,
    });
  }

  #summarize(events: readonly RunEvent[]): SessionSummary | undefined {
    const { sessionId, time: startedAt } = events[0] ?? {};
    const { time: lastAt, seq: lastSeq } = events.at(-1) ?? {};
    if (sessionId === undefined || startedAt === undefined || lastAt === undefined || !lastSeq) return undefined;
    const own = [...this.#runs.values()].filter(({ scope }) => scope.sessionId === sessionId);
    const newest = events.findLast((event) => event.type === "run.started");
    const input = events.find((event) => event.type === "model.input");
    return { sessionId, startedAt, lastAt, lastSeq, runs: own.length, ...describeSession(newest, input) };
  }

  #end(scope: RunScope): void {
    const run = this.#runs.get(scope.runId);
    if (run) run.ended = true;
    if (scope.sessionId === undefined) this.#endedAlone.add(scope.runId);
    for (const runId of this.#endedAlone) {
      if (this.#endedAlone.size <= this.#maxRuns) return;
      this.#endedAlone.delete(runId);
      this.#runs.delete(runId);
      this.#streams.delete(streamOf({ runId }));
    }
  }
}

/** Session and run may have the same id. */
function streamOf({ runId, sessionId }: RunScope): string {
  return sessionId === undefined ? `run ${runId}` : `session ${sessionId}`;
}

function scopeFrom({ runId, sessionId }: RunScope): RunScope {
  return { runId, ...(sessionId === undefined ? {} : { sessionId }) };
}

function select(events: readonly RunEvent[], query: EventQuery): readonly RunEvent[] {
  const { from = 1, last, limit, withoutDeltas = false } = query;
  const later = from <= 1 ? events : events.filter(({ seq }) => seq >= from);
  const wanted = withoutDeltas ? later.filter((event) => !isDelta(event)) : later;
  const newest = last === undefined ? wanted : wanted.slice(Math.max(0, wanted.length - last));
  return newest.slice(0, limit);
}

/** Keeps the newest contents up to a total of characters, and always the very newest. */
class Artifacts {
  readonly #maxChars: number;
  readonly #contents = new Map<string, string>();
  #chars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get(id: string): string | undefined {
    return this.#contents.get(id);
  }

  put(content: string): string {
    const id = sha256(content);
    this.#drop(id);
    this.#contents.set(id, content);
    this.#chars += content.length;
    for (const oldest of this.#contents.keys()) {
      if (this.#chars <= this.#maxChars || oldest === id) break;
      this.#drop(oldest);
    }
    return id;
  }

  #drop(id: string): void {
    this.#chars -= this.#contents.get(id)?.length ?? 0;
    this.#contents.delete(id);
  }
}
