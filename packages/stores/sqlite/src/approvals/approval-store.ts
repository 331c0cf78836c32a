/** Answers to the questions of an event log, on disk. Any process that has the event log open may answer. */
import type { DatabaseSync } from "node:sqlite";
import {
  type ApprovalStoreParts,
  createApprovalStore,
  createRedactor,
  inTransaction,
  type Redactor,
} from "@bridle/core";
import type { ApprovalStore } from "@bridle/protocol";
import { createLeases, isAlive, type Leases, type Owner, readOwner } from "../streams/leases.ts";
import { Reader } from "../streams/reader.ts";

export interface ApprovalStoreOptions {
  database: DatabaseSync;
  reader: Reader;
  leases: Leases;
  /** The owner that closes questions. */
  owner: Owner;
  redactor: Redactor;
}

/** An accepted answer survives a power cut. */
export function createWritableApprovalStore({ database, owner, ...options }: ApprovalStoreOptions): ApprovalStore {
  return createApprovalStore({
    ...readingParts(database, options),
    ...answerParts(database, owner),
    exclusively: (work) => withFullSync(database, () => inTransaction(database, work)),
  });
}

/** The open questions of an event log that is only read. `refuse` throws the error for every write. */
export function createReadOnlyApprovalStore(database: DatabaseSync, refuse: () => never): ApprovalStore {
  const options = { reader: new Reader(database), leases: createLeases(database), redactor: createRedactor() };
  const answers = hasAnswers(database) ? answerParts(database, noOwner) : { find: () => undefined };
  return createApprovalStore({ ...readingParts(database, options), ...answers, save: refuse, exclusively: refuse });
}

function readingParts(
  database: DatabaseSync,
  { reader, leases, redactor }: Omit<ApprovalStoreOptions, "database" | "owner">,
): Pick<ApprovalStoreParts, "approvalEvents" | "isAlive" | "redactor"> {
  const openRun = database.prepare("SELECT stream FROM runs WHERE name = ? AND last_seq IS NULL");
  return {
    approvalEvents: (sessionId) => reader.approvalEvents(sessionId),
    isAlive({ runId }) {
      const row = openRun.get(runId);
      const holder = row && leases.holderOf(Number(row.stream));
      return holder !== undefined && isAlive(holder);
    },
    redactor,
  };
}

/** The owner in a store that is only read. It closes no questions. */
const noOwner: Owner = { token: "", pid: 0, startTime: null };

function answerParts(database: DatabaseSync, owner: Owner): Pick<ApprovalStoreParts, "find" | "save"> {
  const find = database.prepare("SELECT answer, token, pid, start_time AS startTime FROM answers WHERE approval = ?");
  const save = database.prepare(
    `INSERT OR REPLACE INTO answers (approval, stream, answer, token, pid, start_time)
     SELECT ?, stream, ?, ?, ?, ? FROM runs WHERE name = ? ORDER BY id DESC LIMIT 1`,
  );
  return {
    find(id) {
      const row = find.get(id);
      if (row === undefined) return undefined;
      if (row.answer !== null) return { answer: JSON.parse(String(row.answer)) };
      return isAlive(readOwner(row)) ? {} : undefined; // the owner closed the question, but died before it logged the outcome
    },
    save({ approvalId, runId }, answer) {
      const { token, pid, startTime } = owner;
      save.run(approvalId, answer === undefined ? null : JSON.stringify(answer), token, pid, startTime, runId);
    },
  };
}

/** A file of an earlier format that is only read has no table of answers. */
function hasAnswers(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'answers'").get() !== undefined;
}

/** Restores the setting afterwards, because the writer keeps track of its own. */
function withFullSync<T>(database: DatabaseSync, work: () => T): T {
  const before = Number(database.prepare("PRAGMA synchronous").get()?.synchronous);
  database.exec("PRAGMA synchronous = FULL");
  try {
    return work();
  } finally {
    database.exec(`PRAGMA synchronous = ${before}`);
  }
}
