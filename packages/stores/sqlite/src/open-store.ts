import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  type Changes,
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
  type EventWriter,
  type SharedLimits,
  StoreError,
} from "@bridle/protocol";
import { ArtifactFiles } from "./files/artifacts.ts";
import { withStoreErrors } from "./files/store-failures.ts";
import { storeFileName } from "./files/store-files.ts";
import { openForReading, openForWriting } from "./owner/database.ts";
import { createReadOnlyStore, createWritableStore, type OpenedOptions } from "./sqlite-store.ts";
import { nameOf } from "./streams/held-streams.ts";
import { SharedChanges } from "./streams/shared-changes.ts";
import type { OpenStream } from "./streams/writer.ts";

/** An event log on disk. Every function rejects with a StoreError if it fails. */
export interface Store extends EventLog {
  readonly approvals: ApprovalStore;
  readonly limits: SharedLimits;
  /** Writes events that are only in memory, and closes the file. Runs that have not ended end with the process. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** The folder of the event log, such as `.bridle` in a project. It contains `state.db`. */
  folder: string;
  /** Whether to open the event log only for reading, which also works without write permission. Default: `false`. */
  readOnly?: boolean | undefined;
  /**
   * A secret of the user who owns the event log. A new event log gets a mark that only this key can make, and `isOwnStore` checks it. Event
   * logs without the mark can be opened too. Default: no mark.
   */
  ownerKey?: Uint8Array | undefined;
  /** Removes credentials from everything that is written. Default: removes everything that looks like a credential. */
  redactor?: Redactor | undefined;
  now?: (() => number) | undefined;
}

/**
 * Opens an event log on disk, and creates it if there is none. First ends the runs of processes that died.
 *
 * Several processes may have the same event log open, each writing its own sessions. Streamed text is in the file within 50 ms, every other
 * event within 10 ms, and everything before the process exits on its own. A writer's `durable` waits until its events also survive a power
 * cut.
 *
 * @throws StoreError if the folder cannot be used.
 * @example const store = openStore({ folder: ".bridle" }); console.log(await store.read({ sessionId: "support-42", last: 20 })); await
 * store.close();
 */
export function openStore({
  folder,
  readOnly = false,
  ownerKey,
  redactor = createRedactor(),
  now = Date.now,
}: StoreOptions): Store {
  const file = join(folder, storeFileName);
  const open = () => (readOnly ? openForReading(file) : openForWriting(folder, file, ownerKey));
  const database = withStoreErrors(file, folder, open);
  try {
    return createSqliteStore(database, { folder, readOnly, redactor, now });
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Milliseconds between two checks of what other processes have written. */
const followMs = 100;

/** Creates the event log in a database that is open already. */
export function createSqliteStore(database: DatabaseSync, options: OpenedOptions): Store {
  const { folder, readOnly } = options;
  const file = join(folder, storeFileName);
  const attempt = <T>(work: () => T) => withStoreErrors(file, folder, work);
  const artifacts = new ArtifactFiles(join(folder, "artifacts"));
  const shared = new SharedChanges(file);
  const onWritten = () => shared.announceToOthers();
  const store = readOnly
    ? createReadOnlyStore(database, folder)
    : attempt(() => createWritableStore(database, artifacts, { ...options, file, onWritten }));
  const changes = shared.ofStore;
  /** Reads a list. A list shows which runs are in progress, so this first ends the runs of processes that have died. */
  const readEnded = () => {
    try {
      attempt(() => store.endInterrupted());
    } catch (error) {
      if (!(error instanceof StoreError)) throw error; // a busy log or a full disk must not prevent reading
    }
    return store.read();
  };
  const read: EventLog["read"] = async (query) => {
    checkEventQuery(query);
    return attempt(() => store.read(query).events(query));
  };
  return {
    async openWriter(scope) {
      const opened = await settle(() => store.open(scope));
      const stream = attempt(() => settledValue(opened));
      const writer = toWriter(stream, { attempt, changes, redactor: options.redactor });
      return refuseAfterClose(writer, nameOf(scope), file);
    },
    read,
    redact: (content) => redactContent(content, options.redactor),
    follow: (query, signal) =>
      followReads(read, query, signal, {
        changes,
        pollMs: followMs,
        beforeRead: () => attempt(() => store.endInterrupted()),
      }),
    async runs(query = {}) {
      checkRunQuery(query);
      return attempt(() => readEnded().runs(query));
    },
    async sessions(query = {}) {
      checkSessionQuery(query);
      return attempt(() => readEnded().sessions(query));
    },
    snapshots: async (sessionId) => attempt(() => store.snapshots(sessionId)),
    addSnapshot: async (sessionId, snapshot) => attempt(() => store.addSnapshot(sessionId, snapshot)),
    removeSession: async (sessionId) => attempt(() => store.removeSession(sessionId)),
    artifact: async (id) => attempt(() => store.artifact(id) ?? artifacts.get(id)),
    approvals: withApprovalErrors(store.approvals, file, folder),
    limits: withLimitErrors(store.limits, file, folder),
    async close() {
      shared.leave();
      if (database.isOpen) await attempt(() => store.close());
    },
  };
}

interface WriterParts {
  attempt<T>(work: () => T): T;
  readonly changes: Changes;
  readonly redactor: Redactor;
}

function toWriter(stream: OpenStream, { attempt, changes, redactor }: WriterParts): EventWriter {
  return {
    append(runId, draft, appendOptions) {
      const event = attempt(() => stream.append(runId, draft, appendOptions));
      changes.announce();
      return event;
    },
    putArtifact: (content) => attempt(() => stream.putArtifact(redactContent(content, redactor))),
    async durable() {
      const synced = await settle(() => stream.durable());
      attempt(() => settledValue(synced));
    },
    close: () => stream.close(),
  };
}

function withApprovalErrors(approvals: ApprovalStore, file: string, folder: string): ApprovalStore {
  const attempt = <T>(work: () => Promise<T>) => withAsyncErrors(work, file, folder);
  return {
    open: () => attempt(() => approvals.open()),
    answer: (id, answer) => attempt(() => approvals.answer(id, answer)),
    answerTo: (id) => attempt(() => approvals.answerTo(id)),
    watch: approvals.watch,
    close: (id) => attempt(() => approvals.close(id)),
    takeOver: (sessionId) => attempt(() => approvals.takeOver(sessionId)),
  };
}

function withLimitErrors(limits: SharedLimits, file: string, folder: string): SharedLimits {
  return {
    read: (account) => withAsyncErrors(() => limits.read(account), file, folder),
    replace: (account, expected, next) => withAsyncErrors(() => limits.replace(account, expected, next), file, folder),
  };
}

async function withAsyncErrors<T>(work: () => Promise<T>, file: string, folder: string): Promise<T> {
  const settled = await settle(work);
  return withStoreErrors(file, folder, () => settledValue(settled));
}

async function settle<T>(work: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  const [settled] = await Promise.allSettled([(async () => work())()]);
  return settled;
}

function settledValue<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
