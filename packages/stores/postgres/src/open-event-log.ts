import {
  createEventRedaction,
  createRedactor,
  followReads,
  type Redactor,
  redactContent,
  refuseAfterClose,
} from "@bridle/core";
import {
  type ApprovalStore,
  checkEventQuery,
  checkRunQuery,
  checkSessionQuery,
  type EventLog,
  type EventQuery,
  type EventWriter,
  type RunEvent,
  type SessionSnapshot,
  type SharedLimits,
  StoreError,
  type StreamScope,
} from "@bridle/protocol";
import { createLogApprovals } from "./approvals/log-approvals.ts";
import { toEventLogError } from "./database/database-failures.ts";
import { LogDatabase, type SendStatement } from "./database/log-database.ts";
import { prepareEventLog } from "./database/log-schema.ts";
import { ChangeListener } from "./following/change-listener.ts";
import { Followers } from "./following/changes-of-streams.ts";
import { createLogLimits } from "./limits/log-limits.ts";
import { StreamWriter } from "./streams/event-writer.ts";
import { LeaseOwner } from "./streams/lease-owner.ts";
import { LeasedStreams } from "./streams/leased-streams.ts";
import { readRuns, readSessionRows, readStoredEvents } from "./streams/read-events.ts";
import { readSnapshots, writeSnapshot } from "./streams/session-snapshots.ts";
import { readContent } from "./streams/write-contents.ts";

/** An event log in PostgreSQL. Every function rejects with a StoreError if it fails. */
export interface PostgresEventLog extends EventLog {
  readonly approvals: ApprovalStore;
  readonly limits: SharedLimits;
  /** Writes events that are only in memory, and disconnects. Runs that have not ended end with the process. */
  close(): Promise<void>;
}

export interface PostgresEventLogOptions {
  /** The address of the database, such as `postgresql://user:password@host:5432/bridle`. */
  url: string;
  /** The name of the schema that contains the tables, at most 63 bytes. Each schema is a separate event log. Default: `bridle`. */
  schema?: string | undefined;
  /** Removes credentials from everything that is written. Default: removes everything that looks like a credential. */
  redactor?: Redactor | undefined;
  now?: (() => number) | undefined;
  /** How long a process may be silent before others take over its streams, in milliseconds. Default: 15,000. */
  leaseMs?: number | undefined;
  /** How long to try again after a lost connection before an operation fails, in milliseconds. Default: 30,000. */
  patienceMs?: number | undefined;
  /** The maximum number of connections for reading and writing; following uses one more. Default: 8. */
  maxConnections?: number | undefined;
}

/**
 * Opens an event log in PostgreSQL, and creates its tables if there are none. First ends the runs of processes that died. Processes on
 * several machines may have the same event log open, each writing its own sessions.
 *
 * @throws StoreError if the database cannot be used; opening is not tried again.
 * @example const eventLog = await openPostgresEventLog({ url: "postgresql://localhost/bridle" }); console.log(await eventLog.read({
 * sessionId: "support-42", last: 20 })); await eventLog.close();
 */
export async function openPostgresEventLog(options: PostgresEventLogOptions): Promise<PostgresEventLog> {
  const { url, schema = "bridle", patienceMs = 30_000, maxConnections = 8, leaseMs = 15_000 } = options;
  const database = await LogDatabase.create({ url, schema, patienceMs, maxConnections });
  try {
    await prepareEventLog(database);
    const log = new OpenedEventLog(database, leaseMs, options);
    await log.enter();
    return log;
  } catch (error) {
    await database.close();
    throw toEventLogError(error, database.address);
  }
}

/** While something is followed: milliseconds between two checks for processes that died. */
const lookMs = 1000;

class OpenedEventLog implements PostgresEventLog {
  readonly approvals: ApprovalStore;
  readonly limits: SharedLimits;
  readonly #database: LogDatabase;
  readonly #owner: LeaseOwner;
  readonly #streams: LeasedStreams;
  readonly #followers = new Followers();
  readonly #listener: ChangeListener;
  readonly #redactor: Redactor;
  readonly #redact: ReturnType<typeof createEventRedaction>;
  readonly #now: () => number;
  #lookedAt = 0;
  #closing: Promise<void> | undefined;

  constructor(database: LogDatabase, leaseMs: number, options: PostgresEventLogOptions) {
    const { redactor = createRedactor(), now = Date.now } = options;
    this.#database = database;
    this.#owner = new LeaseOwner(database, leaseMs);
    this.#streams = new LeasedStreams({ database, owner: this.#owner, followers: this.#followers, now });
    this.#listener = new ChangeListener({ database, onChange: (message) => this.#followers.wake(message) });
    this.#redactor = redactor;
    this.#redact = createEventRedaction(redactor);
    this.#now = now;
    const flush = () => this.#streams.flush();
    this.limits = createLogLimits(database);
    this.approvals = createLogApprovals({
      database,
      owner: this.#owner,
      redactor,
      flush,
      watchOthers: (look) => this.#watchAnswers(look),
    });
  }

  async enter(): Promise<void> {
    await this.#streams.endAbandoned();
    await this.#owner.enter(() => this.#streams.releaseLeftovers());
  }

  openWriter = async (scope: StreamScope): Promise<EventWriter> => {
    const stream = await this.#streams.open(scope);
    const writer = new StreamWriter({
      stream,
      redactor: this.#redactor,
      redact: this.#redact,
      now: this.#now,
      close: () => this.#streams.close(stream),
    });
    return refuseAfterClose(writer, stream.name, this.#database.address);
  };

  read = async (query: EventQuery): Promise<readonly RunEvent[]> => {
    checkEventQuery(query);
    await this.#streams.flush("sessionId" in query ? query.sessionId : undefined);
    return this.#database.read((send) => readStoredEvents(send, query));
  };

  redact: EventLog["redact"] = (content) => redactContent(content, this.#redactor);

  follow: EventLog["follow"] = (query, signal) => this.#follow(query, signal);

  runs: EventLog["runs"] = async (query = {}) => {
    checkRunQuery(query);
    return this.#readList((send) => readRuns(send, query));
  };

  sessions: EventLog["sessions"] = async (query = {}) => {
    checkSessionQuery(query);
    return this.#readList((send) => readSessionRows(send, query));
  };

  snapshots = (sessionId: string): Promise<readonly SessionSnapshot[]> =>
    this.#database.read((send) => readSnapshots(send, sessionId));

  addSnapshot = async (sessionId: string, snapshot: SessionSnapshot): Promise<boolean> => {
    await this.#streams.flush(sessionId);
    return this.#database.writeOnce((send) => writeSnapshot(send, sessionId, snapshot));
  };

  removeSession = (sessionId: string): Promise<void> => this.#streams.removeSession(sessionId);

  artifact = (id: string): Promise<string | undefined> => this.#read((send) => readContent(send, id));

  close = (): Promise<void> => {
    this.#closing ??= this.#close();
    return this.#closing;
  };

  /** Reads a list. A list shows which runs are in progress, so this first ends the runs of processes that have died. */
  async #readList<T>(work: (send: SendStatement) => Promise<T>): Promise<T> {
    await this.#endAbandoned().catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error; // a busy log or a full disk must not prevent reading
    });
    return this.#read(work);
  }

  async #read<T>(work: (send: SendStatement) => Promise<T>): Promise<T> {
    await this.#streams.flush();
    return this.#database.read(work);
  }

  async *#follow(query: Parameters<EventLog["follow"]>[0], signal: AbortSignal): AsyncGenerator<RunEvent> {
    const { changes, leave } = this.#followers.join(query);
    this.#listener.start();
    const beforeRead = () => this.#endAbandoned();
    try {
      yield* followReads(this.read, query, signal, { changes, beforeRead });
    } finally {
      leave();
      if (this.#followers.size === 0) await this.#listener.stop();
    }
  }

  #watchAnswers(look: () => void): () => void {
    const leave = this.#followers.joinAnswers(look);
    this.#listener.start();
    return () => {
      leave();
      if (this.#followers.size === 0) void this.#listener.stop();
    };
  }

  async #endAbandoned(): Promise<void> {
    if (performance.now() - this.#lookedAt < lookMs) return;
    this.#lookedAt = performance.now();
    await this.#streams.endAbandoned();
  }

  async #close(): Promise<void> {
    try {
      await this.#listener.stop();
      await this.#streams.leave();
      await this.#owner.leave();
    } finally {
      await this.#database.close();
    }
  }
}
