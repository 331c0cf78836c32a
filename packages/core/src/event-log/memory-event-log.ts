import {
  type ApprovalStore,
  addToOutline,
  checkEventQuery,
  checkRunQuery,
  checkSessionQuery,
  type EventDraft,
  type EventLog,
  type EventQuery,
  type EventWriter,
  type Excerpt,
  given,
  isDelta,
  omitUndefined,
  optionsCheck,
  type RunEvent,
  type RunScope,
  type SessionSnapshot,
  StoreBusyError,
  type StreamScope,
} from "@bridle/protocol";
import { createApprovalStore } from "../approvals/approval-store.ts";
import { createMemoryLimits } from "../limits/memory-limits.ts";
import { createEventRedaction } from "../redaction/event-redaction.ts";
import { redactContent } from "../redaction/redact-content.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { Changes, followReads } from "./changes.ts";
import { MemoryArtifacts } from "./memory-artifacts.ts";
import { type KeptRun, type KeptSession, listKeptRuns, listKeptSessions } from "./memory-lists.ts";
import { refuseAfterClose } from "./refuse-after-close.ts";

/** The address of the log in errors. */
const address = "memory";

/** The maximum number of characters that a log in memory keeps in artifacts. */
const artifactChars = 64_000_000;

export interface MemoryEventLogOptions {
  now?: (() => number) | undefined;
  maxRuns?: number | undefined;
  maxArtifactChars?: number | undefined;
  /** Redacts credentials before they are stored. Default: redacts everything that looks like a credential. */
  redactor?: Redactor | undefined;
}

const checkOptions = optionsCheck<MemoryEventLogOptions>("createMemoryEventLog", {
  now: given.callback.optional(),
  maxRuns: given.number.optional(),
  maxArtifactChars: given.number.optional(),
  redactor: given.object.optional(),
});

/**
 * Creates an event log in memory. The log keeps sessions until they are removed, runs in progress, the newest `maxRuns` of the ended runs
 * that belong to no session, and the newest artifacts, so that the memory of a process that runs for weeks does not grow with every call.
 */
export function createMemoryEventLog(options: MemoryEventLogOptions = {}): EventLog {
  checkOptions(options);
  return new MemoryEventLog(options);
}

class MemoryEventLog implements EventLog {
  readonly approvals: ApprovalStore;
  readonly limits = createMemoryLimits();
  readonly #now: () => number;
  readonly #maxRuns: number;
  readonly #redactor: Redactor;
  readonly #redact: ReturnType<typeof createEventRedaction>;
  readonly #artifacts: MemoryArtifacts;
  readonly #changes = new Changes();
  readonly #streams = new Map<string, RunEvent[]>();
  readonly #writers = new Set<string>();
  readonly #runs = new Map<string, KeptRun>();
  readonly #sessions = new Map<string, KeptSession>();
  readonly #snapshots = new Map<string, readonly SessionSnapshot[]>();
  readonly #endedAlone = new Set<string>();
  readonly #answers = new Map<string, { readonly answer?: unknown }>();

  constructor({ now = Date.now, maxRuns = 200, maxArtifactChars = artifactChars, redactor }: MemoryEventLogOptions) {
    this.#now = now;
    this.#maxRuns = maxRuns;
    this.#redactor = redactor ?? createRedactor();
    this.#redact = createEventRedaction(this.#redactor);
    this.#artifacts = new MemoryArtifacts(maxArtifactChars);
    this.approvals = this.#createApprovals();
  }

  openWriter = async (stream: StreamScope): Promise<EventWriter> => {
    const name = nameOf(stream);
    if (this.#writers.has(name)) throw busy(name);
    this.#writers.add(name);
    const writer: EventWriter = {
      append: (runId, draft, { excerpts } = {}) => this.#append({ ...stream, runId }, draft, excerpts),
      putArtifact: (content) => this.#artifacts.put(this.redact(content)),
      durable: async () => {},
      close: async () => void this.#writers.delete(name),
    };
    return refuseAfterClose(writer, name, address);
  };

  redact: EventLog["redact"] = (content) => redactContent(content, this.#redactor);

  read = async (query: EventQuery): Promise<readonly RunEvent[]> => {
    checkEventQuery(query);
    if ("sessionId" in query) return select(this.#streams.get(nameOf(query)) ?? [], query);
    const { sessionId } = this.#runs.get(query.runId)?.scope ?? {};
    const stream = sessionId === undefined ? { runId: query.runId } : { sessionId };
    const own = (this.#streams.get(nameOf(stream)) ?? []).filter(({ runId }) => runId === query.runId);
    return select(own, query);
  };

  follow: EventLog["follow"] = (query, signal) => followReads(this.read, query, signal, { changes: this.#changes });

  runs: EventLog["runs"] = async (query = {}) => {
    checkRunQuery(query);
    return listKeptRuns(this.#runs, query);
  };

  sessions: EventLog["sessions"] = async (query = {}) => {
    checkSessionQuery(query);
    return listKeptSessions(this.#sessions, query);
  };

  snapshots = async (sessionId: string): Promise<readonly SessionSnapshot[]> => this.#snapshots.get(sessionId) ?? [];

  addSnapshot = async (sessionId: string, snapshot: SessionSnapshot): Promise<boolean> => {
    const stored = this.#snapshots.get(sessionId) ?? [];
    const isNext = snapshot.after === 0 || snapshot.after === stored.at(-1)?.seq;
    const lastSeq = this.#streams.get(nameOf({ sessionId }))?.length ?? 0;
    if (!isNext || snapshot.seq <= snapshot.after || snapshot.seq > lastSeq) return false;
    this.#snapshots.set(sessionId, snapshot.after === 0 ? [snapshot] : [...stored, snapshot]);
    return true;
  };

  removeSession = async (sessionId: string): Promise<void> => {
    const name = nameOf({ sessionId });
    if (this.#writers.has(name)) throw busy(name);
    this.#drop(name);
    this.#sessions.delete(sessionId);
    this.#snapshots.delete(sessionId);
    for (const [runId, { scope }] of this.#runs) if (scope.sessionId === sessionId) this.#runs.delete(runId);
  };

  artifact = async (id: string): Promise<string | undefined> => this.#artifacts.get(id);

  #append(scope: RunScope, draft: EventDraft, excerpts: readonly Excerpt[] | undefined): RunEvent {
    const name = scope.sessionId === undefined ? nameOf(scope) : nameOf({ sessionId: scope.sessionId });
    const events = this.#streams.get(name) ?? [];
    const event: RunEvent = {
      seq: events.length + 1,
      time: this.#now(),
      ...scope,
      ...this.#redact(scope.runId, draft, excerpts),
    };
    this.#streams.set(name, events);
    const isNewRun = !this.#runs.has(scope.runId) && event.type !== "history.replaced";
    if (isNewRun) this.#runs.set(scope.runId, { scope, startedAt: event.time, ended: false });
    events.push(event);
    if (scope.sessionId !== undefined) this.#addToSession(scope.sessionId, events, event, isNewRun);
    if (event.type === "run.finished") this.#end(scope);
    this.#changes.announce();
    return event;
  }

  #createApprovals(): ApprovalStore {
    return createApprovalStore({
      approvalEvents: async (stream) => {
        const events = stream ? (this.#streams.get(nameOf(stream)) ?? []) : [...this.#streams.values()].flat();
        return events.filter(({ type }) => type === "approval.requested" || type === "approval.decided");
      },
      isAlive: async ({ runId }) => this.#runs.get(runId)?.ended === false,
      find: async (id) => this.#answers.get(id),
      answered: async (ids) => ids.filter((id) => this.#answers.get(id)?.answer !== undefined),
      watchOthers: () => () => {}, // no other process can answer
      settle: async ({ approvalId }, answer) => {
        if (this.#answers.has(approvalId)) return false;
        this.#answers.set(approvalId, omitUndefined({ answer }));
        return true;
      },
      redactor: this.#redactor,
    });
  }

  #addToSession(id: string, events: readonly RunEvent[], event: RunEvent, isNewRun: boolean): void {
    const session = this.#sessions.get(id) ?? { events, outline: {}, runs: 0 };
    this.#sessions.set(id, session);
    session.outline = addToOutline(session.outline, event);
    if (isNewRun) session.runs += 1;
  }

  #drop(name: string): void {
    for (const event of this.#streams.get(name) ?? []) {
      if (event.type === "approval.requested") this.#answers.delete(event.approvalId);
    }
    this.#streams.delete(name);
  }

  #end(scope: RunScope): void {
    const run = this.#runs.get(scope.runId);
    if (run) run.ended = true;
    if (scope.sessionId === undefined) this.#endedAlone.add(scope.runId);
    for (const runId of this.#endedAlone) {
      if (this.#endedAlone.size <= this.#maxRuns) return;
      this.#endedAlone.delete(runId);
      this.#runs.delete(runId);
      this.#drop(nameOf({ runId }));
    }
  }
}

/** Names a stream by its kind and id, because a session and a run may have the same id. */
function nameOf(stream: StreamScope): string {
  return "sessionId" in stream ? `session ${stream.sessionId}` : `run ${stream.runId}`;
}

function busy(name: string): StoreBusyError {
  const holder = "another run of this process";
  const message = `The ${name} is in use by ${holder}. Wait until its run has ended, or use another.`;
  return new StoreBusyError(message, address, { holder });
}

function select(events: readonly RunEvent[], query: EventQuery): readonly RunEvent[] {
  const { from = 1, last, limit, withoutDeltas = false } = query;
  const later = from <= 1 ? events : events.filter(({ seq }) => seq >= from);
  const wanted = withoutDeltas ? later.filter((event) => !isDelta(event)) : later;
  const newest = last === undefined ? wanted : wanted.slice(Math.max(0, wanted.length - last));
  return newest.slice(0, limit);
}
