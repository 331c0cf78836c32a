/** An event log on disk, with a mostly synchronous interface. */
import type { DatabaseSync } from "node:sqlite";
import { formatVersion, inTransaction, type Redactor } from "@bridle/core";
import {
  type ApprovalStore,
  type EventQuery,
  type SessionSnapshot,
  type SharedLimits,
  StoreReadOnlyError,
  type StreamScope,
} from "@bridle/protocol";
import { createReadOnlyApprovalStore, createWritableApprovalStore } from "./approvals/approval-store.ts";
import type { ArtifactFiles } from "./files/artifacts.ts";
import { createContents } from "./files/contents.ts";
import { contentsFormat, limitsFormat, snapshotsFormat } from "./files/schema.ts";
import { createSharedLimits } from "./files/shared-limits.ts";
import { createSnapshots } from "./files/snapshots.ts";
import { createLeases, createOwner } from "./streams/leases.ts";
import { Reader } from "./streams/reader.ts";
import { Recovery } from "./streams/recovery.ts";
import { createStreams } from "./streams/streams.ts";
import { Writer } from "./streams/writer.ts";

export interface OpenedOptions {
  folder: string;
  readOnly: boolean;
  redactor: Redactor;
  now(): number;
}

/** The synchronous event log. Its methods may throw errors of any class. */
export interface SqliteStore {
  readonly approvals: ApprovalStore;
  readonly limits: SharedLimits;
  open: Writer["open"];
  /**
   * Returns a reader that sees the events that this process has appended. With a query, the reader may miss appended events that the query
   * does not select.
   */
  read(query?: EventQuery): Reader;
  snapshots(sessionId: string): readonly SessionSnapshot[];
  addSnapshot(sessionId: string, snapshot: SessionSnapshot): boolean;
  removeSession(sessionId: string): void;
  artifact(id: string): string | undefined;
  /** Ends the runs of processes that died after the event log was opened. Opening ends the runs of those that died before. */
  endInterrupted(): void;
  /** Closes the database before it returns. Resolves when no thread uses the files any more. Throws if something cannot be written. */
  close(): Promise<void>;
}

export function createReadOnlyStore(database: DatabaseSync, folder: string): SqliteStore {
  const reader = new Reader(database);
  const format = formatVersion(database);
  const contents = format < contentsFormat ? undefined : createContents(database);
  const snapshots = format < snapshotsFormat ? undefined : createSnapshots(database);
  const limits = format < limitsFormat ? undefined : createSharedLimits(database);
  const refuse = () => {
    throw new StoreReadOnlyError(folder);
  };
  return {
    read: () => reader,
    approvals: createReadOnlyApprovalStore(database, refuse),
    limits: { read: async (account) => limits?.read(account), replace: async () => refuse() },
    open: refuse,
    snapshots: (sessionId) => snapshots?.of(sessionId) ?? [],
    addSnapshot: refuse,
    removeSession: refuse,
    artifact: (id) => contents?.get(id),
    endInterrupted() {},
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}

export function createWritableStore(
  database: DatabaseSync,
  artifacts: ArtifactFiles,
  { file, redactor, now, onWritten }: OpenedOptions & { file: string; onWritten(): void },
): SqliteStore {
  const [streams, leases, reader] = [createStreams(database), createLeases(database), new Reader(database)];
  const recovery = new Recovery({ database, streams, leases, reader, now });
  recovery.closeAll();
  const owner = createOwner();
  const contents = createContents(database);
  const snapshots = createSnapshots(database);
  const writer = new Writer({ database, contents, file, streams, leases, recovery, owner, redactor, now, onWritten });
  const flush = (scope?: StreamScope) => writer.flushAll(scope);
  return {
    approvals: createWritableApprovalStore({ database, reader, leases, owner, redactor, flush }),
    limits: createSharedLimits(database),
    open: (scope) => writer.open(scope),
    endInterrupted: () => recovery.closeAll(),
    read(query) {
      writer.flush(query);
      return reader;
    },
    snapshots: (sessionId) => snapshots.of(sessionId),
    addSnapshot(sessionId, snapshot) {
      writer.flush();
      return inTransaction(database, () => snapshots.add(sessionId, snapshot));
    },
    removeSession(sessionId) {
      const stream = streams.findSession(sessionId);
      if (stream === undefined) return;
      const orphaned = writer.runAlone(stream, `session ${sessionId}`, () => streams.remove(stream));
      for (const id of orphaned) artifacts.remove(id);
    },
    artifact(id) {
      writer.flush();
      return contents.get(id);
    },
    close() {
      try {
        writer.close();
      } finally {
        owner.leave();
        database.close();
      }
      return writer.ended();
    },
  };
}
