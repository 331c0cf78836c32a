/** Stores answers to an event log's questions on disk. Any process that has the event log open may answer. */
import type { DatabaseSync } from "node:sqlite";
import {
  type ApprovalStoreParts,
  createApprovalStore,
  createRedactor,
  inTransaction,
  type Redactor,
} from "@bridle/core";
import type { ApprovalAnswer, ApprovalStore, Question, StreamScope } from "@bridle/protocol";
import { withFullSync } from "../files/full-sync.ts";
import { createLeases, isAlive, type Leases, type Owner, readOwner } from "../streams/leases.ts";
import { Reader } from "../streams/reader.ts";

export interface ApprovalStoreOptions {
  database: DatabaseSync;
  reader: Reader;
  leases: Leases;
  /** The owner that closes questions. */
  owner: Owner;
  redactor: Redactor;
  /** Writes what this process has appended. Throws if the events of `scope` cannot be written. */
  flush(scope?: StreamScope): void;
}

/** Creates the store of an event log's approvals. An accepted answer survives a power cut. */
export function createWritableApprovalStore({ database, owner, ...options }: ApprovalStoreOptions): ApprovalStore {
  return createApprovalStore({
    ...readingParts(database, options),
    ...answerParts(database, owner, options.flush),
  });
}

/** Returns the open questions of a read-only event log. `refuse` throws the error for every write. */
export function createReadOnlyApprovalStore(database: DatabaseSync, refuse: () => never): ApprovalStore {
  const [reader, leases, redactor] = [new Reader(database), createLeases(database), createRedactor()];
  const flush = () => {};
  const answers = hasAnswers(database)
    ? answerParts(database, noOwner, flush)
    : { find: async () => undefined, answered: async () => [] };
  return createApprovalStore({
    ...readingParts(database, { reader, leases, redactor, flush }),
    ...answers,
    settle: refuse,
  });
}

function readingParts(
  database: DatabaseSync,
  { reader, leases, redactor, flush }: Omit<ApprovalStoreOptions, "database" | "owner">,
): Pick<ApprovalStoreParts, "approvalEvents" | "isAlive" | "redactor"> {
  const openRun = database.prepare("SELECT stream FROM runs WHERE name = ? AND last_seq IS NULL");
  return {
    async approvalEvents(stream) {
      flush();
      return reader.approvalEvents(stream);
    },
    async isAlive({ runId }) {
      flush();
      const row = openRun.get(runId);
      const holder = row && leases.holderOf(Number(row.stream));
      return holder !== undefined && isAlive(holder);
    },
    redactor,
  };
}

/** The owner in a read-only store, which never closes questions. */
const noOwner: Owner = { token: "", pid: 0, startTime: null };

function answerParts(
  database: DatabaseSync,
  owner: Owner,
  flush: ApprovalStoreOptions["flush"],
): Pick<ApprovalStoreParts, "find" | "answered" | "settle"> {
  const find = database.prepare("SELECT answer, token, pid, start_time AS startTime FROM answers WHERE approval = ?");
  const answered = database.prepare(
    "SELECT approval FROM answers WHERE answer IS NOT NULL AND approval IN (SELECT value FROM json_each(?))",
  );
  const save = database.prepare(
    `INSERT OR REPLACE INTO answers (approval, stream, answer, token, pid, start_time)
     SELECT ?, stream, ?, ?, ?, ? FROM runs WHERE name = ? ORDER BY id DESC LIMIT 1`,
  );
  const decided = database.prepare(
    `SELECT 1 FROM events e JOIN runs r ON r.stream = e.stream
     WHERE r.name = ? AND e.type = 'approval.decided' AND json_extract(e.fields, '$.approvalId') = ? LIMIT 1`,
  );

  /** Finds the state of a question. If an owner closed it but died before logging the outcome, the question is open. */
  function findState(id: string): { readonly answer?: unknown } | undefined {
    const row = find.get(id);
    if (row === undefined) return undefined;
    if (row.answer !== null) return { answer: JSON.parse(String(row.answer)) };
    return isAlive(readOwner(row)) ? {} : undefined;
  }

  function trySettle({ approvalId, runId }: Question, answer: ApprovalAnswer | undefined): boolean {
    if (findState(approvalId) !== undefined || decided.get(runId, approvalId) !== undefined) return false;
    const { token, pid, startTime } = owner;
    save.run(approvalId, answer === undefined ? null : JSON.stringify(answer), token, pid, startTime, runId);
    return true;
  }

  return {
    find: async (id) => findState(id),
    answered: async (ids) => answered.all(JSON.stringify(ids)).map(({ approval }) => String(approval)),
    async settle(question, answer) {
      flush(question.sessionId === undefined ? { runId: question.runId } : { sessionId: question.sessionId });
      return withFullSync(database, () => inTransaction(database, () => trySettle(question, answer)));
    },
  };
}

/** Whether the file has the table of answers. A read-only file of an earlier format does not. */
function hasAnswers(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'answers'").get() !== undefined;
}
