import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createRedactor, type Redactor, redactContent } from "@bridle/core";
import { type ApprovalStore, type EventLog, StoreReadOnlyError } from "@bridle/protocol";
import { createReadOnlyApprovalStore, createWritableApprovalStore } from "./approvals/approval-store.ts";
import { ArtifactFiles } from "./files/artifacts.ts";
import { openForReading, openForWriting } from "./files/database.ts";
import { withStoreErrors } from "./files/store-failures.ts";
import { storeFileName } from "./files/store-files.ts";
import { createLeases, createOwner } from "./streams/leases.ts";
import { Reader } from "./streams/reader.ts";
import { Recovery } from "./streams/recovery.ts";
import { createStreams } from "./streams/streams.ts";
import { Writer } from "./streams/writer.ts";

/** An event log on disk. Every function throws a StoreError if it fails. */
export interface Store extends EventLog {
  readonly approvals: ApprovalStore;
  claim(sessionId: string): () => void;
  /** Ends the runs whose process died after the event log was opened. Opening ends earlier ones. */
  endInterrupted(): void;
  /** Writes events that are only in memory, and closes the file. Runs that have not ended end with the process. */
  close(): void;
}

export interface StoreOptions {
  /** The folder of the event log, such as `.bridle` in a project. It holds `state.db` and the folder `artifacts`. */
  folder: string;
  /** Whether to open the event log only for reading, which also works without write permission. Default `false`. */
  readOnly?: boolean | undefined;
  /**
   * A secret of the user whose event log it is. A new event log gets a mark that only this key makes; `isOwnStore` looks for
   * it. An event log without the mark is opened too. Default: no mark.
   */
  ownerKey?: Uint8Array | undefined;
  /** Removes credentials before anything is written. Default: removes everything that looks like a credential. */
  redactor?: Redactor | undefined;
  now?: (() => number) | undefined;
}

/**
 * Opens an event log on disk, and creates it if there is none. Runs of processes that died are ended first.
 *
 * Several processes may have it open, each writing its own sessions. Streamed text is on disk within 50 ms, and every
 * other event when `append` returns.
 *
 * @throws StoreError if the folder cannot be used.
 * @example
 * const store = openStore({ folder: ".bridle" });
 * store.events({ sessionId: "support-42", last: 20 });
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

interface OpenedOptions {
  folder: string;
  readOnly: boolean;
  redactor: Redactor;
  now(): number;
}

/** The event log in a database that is open already. */
export function createSqliteStore(database: DatabaseSync, options: OpenedOptions): Store {
  const { folder, readOnly } = options;
  const file = join(folder, storeFileName);
  const attempt = <T>(work: () => T) => withStoreErrors(file, folder, work);
  const artifacts = new ArtifactFiles(join(folder, "artifacts"));
  const store = readOnly
    ? createReadOnlyStore(database, artifacts, folder)
    : attempt(() => createWritableStore(database, artifacts, { ...options, file }));
  return {
    claim: (sessionId) => attempt(() => store.claim(sessionId)),
    endInterrupted: () => attempt(() => store.endInterrupted()),
    append: (scope, draft, appendOptions) => attempt(() => store.append(scope, draft, appendOptions)),
    events: (query) => attempt(() => store.events(query)),
    runs: (query) => attempt(() => store.runs(query)),
    sessions: () => attempt(() => store.sessions()),
    removeSession: (sessionId) => attempt(() => store.removeSession(sessionId)),
    putArtifact: (content) => attempt(() => store.putArtifact(content)),
    artifact: (id) => attempt(() => store.artifact(id)),
    approvals: {
      open: () => attempt(() => store.approvals.open()),
      answer: (id, answer) => attempt(() => store.approvals.answer(id, answer)),
      answerTo: (id) => attempt(() => store.approvals.answerTo(id)),
      close: (id) => attempt(() => store.approvals.close(id)),
      takeOver: (sessionId) => attempt(() => store.approvals.takeOver(sessionId)),
    },
    close() {
      if (database.isOpen) attempt(() => store.close());
    },
  };
}

function createReadOnlyStore(database: DatabaseSync, artifacts: ArtifactFiles, folder: string): Store {
  const reader = new Reader(database);
  const refuse = () => {
    throw new StoreReadOnlyError(folder);
  };
  return {
    events: (query) => reader.events(query),
    runs: (query) => reader.runs(query),
    sessions: () => reader.sessions(),
    artifact: (id) => artifacts.get(id),
    approvals: createReadOnlyApprovalStore(database, refuse),
    claim: refuse,
    append: refuse,
    removeSession: refuse,
    putArtifact: refuse,
    endInterrupted() {},
    close: () => database.close(),
  };
}

function createWritableStore(
  database: DatabaseSync,
  artifacts: ArtifactFiles,
  { file, redactor, now }: OpenedOptions & { file: string },
): Store {
  const [streams, leases, reader] = [createStreams(database), createLeases(database), new Reader(database)];
  const recovery = new Recovery({ database, streams, leases, reader, now });
  recovery.closeAll();
  const owner = createOwner();
  const writer = new Writer({ database, file, streams, leases, recovery, owner, redactor, now });
  const flushed = () => {
    writer.flush();
    return reader;
  };
  return {
    approvals: createWritableApprovalStore({ database, reader, leases, owner, redactor }),
    claim: (sessionId) => writer.claim(sessionId),
    endInterrupted: () => recovery.closeAll(),
    append: (scope, draft, options) => writer.append(scope, draft, options),
    events: (query) => flushed().events(query),
    runs: (query) => flushed().runs(query),
    sessions: () => flushed().sessions(),
    removeSession(sessionId) {
      const stream = streams.findSession(sessionId);
      if (stream === undefined) return;
      const orphaned = writer.runAlone(stream, `session ${sessionId}`, () => streams.remove(stream));
      for (const id of orphaned) artifacts.remove(id);
    },
    putArtifact: (content) => artifacts.put(redactContent(content, redactor)),
    artifact: (id) => artifacts.get(id),
    close() {
      try {
        writer.close();
      } finally {
        owner.leave();
        database.close();
      }
    },
  };
}
