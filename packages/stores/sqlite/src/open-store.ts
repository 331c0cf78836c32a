import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createRedactor, type Redactor, redactContent } from "@bridle/core";
import { type ApprovalStore, type EventLog, StoreReadOnlyError } from "@bridle/protocol";
import { type Artifacts, createArtifacts } from "./artifacts.ts";
import { openForReading, openForWriting } from "./database.ts";
import { explained } from "./failures.ts";
import { createInbox, createReadingInbox } from "./inbox.ts";
import { createLeases, createOwner } from "./leases.ts";
import { createReader } from "./reader.ts";
import { createRecovery } from "./recovery.ts";
import { createStreams } from "./streams.ts";
import { createWriter } from "./writer.ts";

/** A record on disk. All of it throws StoreError. */
export interface Store extends EventLog {
  readonly approvals: ApprovalStore;
  claim(sessionId: string): () => void;
  /** Ends the runs whose process has died since the record was opened; opening ends those of before. */
  endInterrupted(): void;
  /** Writes what is in memory only, and lets go of the file. Runs that go on count as ended with the process. */
  close(): void;
}

export interface StoreOptions {
  /** Where the record is kept, such as `.bridle` in a project: `state.db`, and the folder `artifacts`. */
  folder: string;
  /** Only reads, also where nothing can be written; an empty record where there is none. Default: false. */
  readOnly?: boolean;
  /** Takes credentials out before anything is written. Default: what looks like one. */
  redactor?: Redactor;
  now?: () => number;
}

/**
 * Opens a record on disk, and makes it where there is none. Runs that a dead process left are closed first.
 *
 * Several processes may have it open, each writing sessions of its own. Streamed text is on disk within 50 ms, and all
 * else when `append` returns.
 *
 * @example
 * const store = openStore({ folder: ".bridle" });
 * store.events({ sessionId: "support-42", last: 20 });
 * store.close();
 */
export function openStore({
  folder,
  readOnly = false,
  redactor = createRedactor(),
  now = Date.now,
}: StoreOptions): Store {
  const file = join(folder, fileName);
  const database = explained(file, folder, () => (readOnly ? openForReading(file) : openForWriting(folder, file)));
  try {
    return createStore(database, { folder, readOnly, redactor, now });
  } catch (error) {
    database.close();
    throw error;
  }
}

const fileName = "state.db";

/** The record in a file that is open already. */
export function createStore(
  database: DatabaseSync,
  { folder, readOnly, redactor, now }: Required<StoreOptions>,
): Store {
  const file = join(folder, fileName);
  const attempt = <T>(work: () => T) => explained(file, folder, work);
  const artifacts = createArtifacts(join(folder, "artifacts"));
  const store = readOnly
    ? readingStore(database, artifacts, folder)
    : attempt(() => writingStore({ database, artifacts, file, redactor, now }));
  return {
    claim: (sessionId) => attempt(() => store.claim(sessionId)),
    endInterrupted: () => attempt(() => store.endInterrupted()),
    append: (place, draft, options) => attempt(() => store.append(place, draft, options)),
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

function readingStore(database: DatabaseSync, artifacts: Artifacts, folder: string): Store {
  const { events, runs, sessions } = createReader(database);
  const refuse = () => {
    throw new StoreReadOnlyError(folder);
  };
  return {
    ...{ events, runs, sessions },
    ...{ claim: refuse, append: refuse, removeSession: refuse, putArtifact: refuse },
    endInterrupted() {},
    artifact: artifacts.get,
    approvals: createReadingInbox(database, refuse),
    close: () => database.close(),
  };
}

interface WritingParts {
  database: DatabaseSync;
  artifacts: Artifacts;
  file: string;
  redactor: Redactor;
  now(): number;
}

function writingStore({ database, artifacts, file, redactor, now }: WritingParts): Store {
  const [streams, leases, reader] = [createStreams(database), createLeases(database), createReader(database)];
  const recovery = createRecovery(database, { streams, leases, reader, now });
  recovery.closeAll();
  const owner = createOwner();
  const writer = createWriter({ database, file, streams, leases, recovery, owner, redactor, now });
  return {
    approvals: createInbox({ database, reader, leases, owner, redactor }),
    claim: writer.claim,
    endInterrupted: recovery.closeAll,
    append: writer.append,
    events(query) {
      writer.settle();
      return reader.events(query);
    },
    runs(query) {
      writer.settle();
      return reader.runs(query);
    },
    sessions() {
      writer.settle();
      return reader.sessions();
    },
    removeSession(sessionId) {
      const stream = streams.findSession(sessionId);
      if (stream === undefined) return;
      const lonely = writer.alone(stream, `session ${sessionId}`, () => streams.remove(stream));
      for (const id of lonely) artifacts.remove(id);
    },
    putArtifact: (content) => artifacts.put(redactContent(content, redactor)),
    artifact: artifacts.get,
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
