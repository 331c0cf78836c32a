/** Answers to a record's questions, on disk: any process that has the record open may give one. */
import type { DatabaseSync } from "node:sqlite";
import {
  type ApprovalStoreParts,
  createApprovalStore,
  createRedactor,
  inTransaction,
  type Redactor,
} from "@bridle/core";
import type { ApprovalStore } from "@bridle/protocol";
import { createLeases, isAlive, type Leases, type Owner, ownerOf } from "./leases.ts";
import { createReader, type Reader } from "./reader.ts";

export interface InboxServices {
  database: DatabaseSync;
  reader: Reader;
  leases: Leases;
  /** Who closes questions. */
  owner: Owner;
  redactor: Redactor;
}

/** An answer that was taken outlives a power cut. */
export function createInbox({ database, owner, ...services }: InboxServices): ApprovalStore {
  return createApprovalStore({
    ...readingParts(database, services),
    ...createAnswers(database, owner),
    exclusively: (work) => durably(database, () => inTransaction(database, work)),
  });
}

/** What is open in a record that is only read; `refuse` says so to whoever would write. */
export function createReadingInbox(database: DatabaseSync, refuse: () => never): ApprovalStore {
  const services = { reader: createReader(database), leases: createLeases(database), redactor: createRedactor() };
  const answers = hasAnswers(database) ? createAnswers(database) : { find: () => undefined };
  return createApprovalStore({
    ...readingParts(database, services),
    ...answers,
    ...{ keep: refuse, exclusively: refuse },
  });
}

function readingParts(
  database: DatabaseSync,
  { reader, leases, redactor }: Omit<InboxServices, "database" | "owner">,
): Pick<ApprovalStoreParts, "approvalEvents" | "isAlive" | "redactor"> {
  const openRun = database.prepare("SELECT stream FROM runs WHERE name = ? AND last_seq IS NULL");
  return {
    approvalEvents: reader.approvalEvents,
    isAlive({ runId }) {
      const row = openRun.get(runId);
      const holder = row && leases.holderOf(Number(row.stream));
      return holder !== undefined && isAlive(holder);
    },
    redactor,
  };
}

/** Who only reads keeps nothing. */
const nobody: Owner = { token: "", pid: 0, startTime: null };

function createAnswers(database: DatabaseSync, owner: Owner = nobody): Pick<ApprovalStoreParts, "find" | "keep"> {
  const find = database.prepare("SELECT answer, token, pid, start_time AS startTime FROM answers WHERE approval = ?");
  const keep = database.prepare(
    `INSERT OR REPLACE INTO answers (approval, stream, answer, token, pid, start_time)
     SELECT ?, stream, ?, ?, ?, ? FROM runs WHERE name = ? ORDER BY id DESC LIMIT 1`,
  );
  return {
    find(id) {
      const row = find.get(id);
      if (row === undefined) return undefined;
      if (row.answer !== null) return { answer: JSON.parse(String(row.answer)) };
      return isAlive(ownerOf(row)) ? {} : undefined; // who closed it died before what became of it was on record
    },
    keep({ approvalId, runId }, answer) {
      const { token, pid, startTime } = owner;
      keep.run(approvalId, answer === undefined ? null : JSON.stringify(answer), token, pid, startTime, runId);
    },
  };
}

/** A file of an earlier format that is only read stays as it is. */
function hasAnswers(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'answers'").get() !== undefined;
}

/** Others set what they need before they write, and go by what it was then. */
function durably<T>(database: DatabaseSync, work: () => T): T {
  const before = Number(database.prepare("PRAGMA synchronous").get()?.synchronous);
  database.exec("PRAGMA synchronous = FULL");
  try {
    return work();
  } finally {
    database.exec(`PRAGMA synchronous = ${before}`);
  }
}
