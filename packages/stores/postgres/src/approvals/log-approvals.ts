/** Stores answers to an event log's questions in its database. Any process that has the event log open may answer. */
import { randomUUID } from "node:crypto";
import { createApprovalStore, type Redactor } from "@bridle/core";
import {
  type ApprovalAnswer,
  type ApprovalStore,
  pendingCopies,
  pendingQuestions,
  type Question,
} from "@bridle/protocol";
import type { LogDatabase, SendStatement } from "../database/log-database.ts";
import { notifyOfAnswer } from "../following/changes-of-streams.ts";
import { type LeaseOwner, ownerIsAlive } from "../streams/lease-owner.ts";
import { readApprovalEvents } from "../streams/read-events.ts";

export interface LogApprovalsOptions {
  readonly database: LogDatabase;
  /** The owner that closes questions. */
  readonly owner: LeaseOwner;
  readonly redactor: Redactor;
  /** Writes what this process has appended. */
  flush(): Promise<void>;
  /** Calls `look` whenever another process may have answered, until the returned function is called. */
  watchOthers(look: () => void): () => void;
}

/** Creates the store of an event log's approvals. An accepted answer survives a power cut. */
export function createLogApprovals(options: LogApprovalsOptions): ApprovalStore {
  const { database, owner, redactor, flush, watchOthers } = options;
  const readFlushed = async <T>(work: (send: SendStatement) => Promise<T>): Promise<T> => {
    await flush();
    return database.read(work);
  };
  return createApprovalStore({
    approvalEvents: (stream) => readFlushed((send) => readApprovalEvents(send, stream)),
    isAlive: ({ runId }) => readFlushed((send) => hasLivingOwner(send, runId)),
    find: (id) => database.read((send) => findAnswer(send, id)),
    answered: (ids) => database.read((send) => findAnswered(send, ids)),
    watchOthers,
    async settle(question, answer) {
      await flush();
      const token = randomUUID();
      return database.write((send) => saveAnswer(send, { question, answer, owner: owner.token, token }));
    },
    redactor,
  });
}

async function hasLivingOwner(send: SendStatement, runId: string): Promise<boolean> {
  const [row] = await send(
    `SELECT 1 FROM runs r JOIN leases l ON l.stream = r.stream
     WHERE r.name = $1 AND r.last_seq IS NULL AND ${ownerIsAlive("l.owner")} LIMIT 1`,
    [runId],
  );
  return row !== undefined;
}

/** Finds the state of a question. If an owner closed it but died before logging the outcome, the question is open. */
async function findAnswer(send: SendStatement, id: string): Promise<{ readonly answer?: unknown } | undefined> {
  const [row] = await send(`SELECT answer, ${ownerIsAlive("a.owner")} AS alive FROM answers a WHERE approval = $1`, [
    id,
  ]);
  if (row === undefined) return undefined;
  if (row.answer !== null) return { answer: JSON.parse(String(row.answer)) };
  return row.alive === true ? {} : undefined;
}

async function findAnswered(send: SendStatement, ids: readonly string[]): Promise<string[]> {
  const rows = await send("SELECT approval FROM answers WHERE answer IS NOT NULL AND approval = ANY($1::text[])", [
    ids,
  ]);
  return rows.map(({ approval }) => String(approval));
}

interface AnswerToSave {
  readonly question: Question;
  readonly answer: ApprovalAnswer | undefined;
  readonly owner: string;
  /** Identifies this attempt to answer, so that repeating the attempt has no effect. */
  readonly token: string;
}

/**
 * Saves an answer. If several processes try at the same time, only one of them gets the row. The row is removed once the outcome is in the
 * log.
 */
async function saveAnswer(send: SendStatement, { question, answer, owner, token }: AnswerToSave): Promise<boolean> {
  const { approvalId, runId, sessionId } = question;
  await send(
    `INSERT INTO answers AS a (approval, stream, answer, owner, token)
     SELECT $1, stream, $2, $3, $4 FROM runs WHERE name = $5 ORDER BY id DESC LIMIT 1
     ON CONFLICT (approval) DO UPDATE
     SET answer = excluded.answer, owner = excluded.owner, token = excluded.token
     WHERE a.answer IS NULL AND NOT ${ownerIsAlive("a.owner")}`,
    [approvalId, answer === undefined ? null : JSON.stringify(answer), owner, token, runId],
  );
  const [row] = await send("SELECT token FROM answers WHERE approval = $1", [approvalId]);
  if (row?.token !== token) return false;
  const events = await readApprovalEvents(send, sessionId === undefined ? undefined : { sessionId });
  const open = [...pendingQuestions(events), ...pendingCopies(events)];
  if (open.some((each) => each.approvalId === approvalId)) {
    if (answer !== undefined) await notifyOfAnswer(send);
    return true;
  }
  await send("DELETE FROM answers WHERE approval = $1", [approvalId]);
  return false;
}
