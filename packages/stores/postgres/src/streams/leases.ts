/** Takes and releases streams. All code locks a stream before its lease, so that no two transactions wait for each other. */
import { describeInterruption } from "@bridle/core";
import { type RunEvent, StoreBusyError } from "@bridle/protocol";
import type { SendStatement } from "../database/log-database.ts";
import {
  loadStreamState,
  nameOfKey,
  type StreamKey,
  type StreamState,
  scopeOf,
  storedFieldsOf,
} from "../database/stream-state.ts";
import { notifyListeners } from "../following/changes-of-streams.ts";
import { type LeaseOwner, ownerIsAlive } from "./lease-owner.ts";
import { toStoredEvent } from "./read-events.ts";
import { writeEvents } from "./write-events.ts";

export interface LeaseRequest {
  readonly key: StreamKey;
  readonly owner: LeaseOwner;
  /** Identifies the period in which an owner holds the stream. */
  readonly token: string;
  readonly address: string;
  now(): number;
}

interface Lease {
  readonly owner: string;
  readonly holder: string;
  readonly isAlive: boolean;
}

/**
 * Takes a stream, and creates it if it does not exist. If an earlier owner's lease has ended, ends the runs that this owner left open.
 *
 * @throws StoreBusyError if a living owner holds the stream.
 */
export async function takeLease(send: SendStatement, request: LeaseRequest): Promise<StreamState> {
  const { key, owner, token, address, now } = request;
  const id = await lockNewStream(send, key);
  const lease = await lockLease(send, id);
  if (lease?.isAlive && lease.owner !== owner.token) throw createBusyError(key, lease.holder, address);
  const state = await endOpenRuns(send, await loadStreamState(send, id, key), lease?.holder, now);
  await send(
    `INSERT INTO leases (stream, owner, holder, token) VALUES ($1, $2, $3, $4)
     ON CONFLICT (stream) DO UPDATE SET owner = excluded.owner, holder = excluded.holder, token = excluded.token`,
    [id, owner.token, owner.holder, token],
  );
  return state;
}

/** Lists the streams of owners that died. */
export async function findAbandoned(send: SendStatement, owner: LeaseOwner): Promise<readonly number[]> {
  const rows = await send(`SELECT stream FROM leases l WHERE owner <> $1 AND NOT ${ownerIsAlive("l.owner")}`, [
    owner.token,
  ]);
  return rows.map(({ stream }) => Number(stream));
}

/** Ends the runs of a stream after its owner died, and releases the stream, unless another process has already done this. */
export async function endAbandoned(
  send: SendStatement,
  stream: number,
  owner: LeaseOwner,
  now: () => number,
): Promise<void> {
  const [row] = await send("SELECT kind, name FROM streams WHERE id = $1 FOR UPDATE", [stream]);
  const lease = row && (await lockLease(send, stream));
  if (lease === undefined || lease.isAlive || lease.owner === owner.token) return;
  const key: StreamKey = { kind: row?.kind === "session" ? "session" : "run", name: String(row?.name) };
  await endOpenRuns(send, await loadStreamState(send, stream, key), lease.holder, now);
  await send("DELETE FROM leases WHERE stream = $1", [stream]);
}

/** Locks and returns the stream of a session; undefined if there is no such stream or the stream has a writer. */
export async function lockIdleSession(
  send: SendStatement,
  key: StreamKey,
  address: string,
): Promise<number | undefined> {
  const [row] = await send("SELECT id FROM streams WHERE kind = $1 AND name = $2 FOR UPDATE", [key.kind, key.name]);
  if (row === undefined) return undefined;
  const lease = await lockLease(send, Number(row.id));
  if (lease?.isAlive) throw createBusyError(key, lease.holder, address);
  return Number(row.id);
}

export function createBusyError(key: StreamKey, holder: string, address: string): StoreBusyError {
  const message = `The ${nameOfKey(key)} is in use by ${holder}. Wait until its run has ended, or use another.`;
  return new StoreBusyError(message, address, { holder });
}

async function lockNewStream(send: SendStatement, { kind, name }: StreamKey): Promise<number> {
  for (;;) {
    const [row] = await send("SELECT id FROM streams WHERE kind = $1 AND name = $2 FOR UPDATE", [kind, name]);
    if (row !== undefined) return Number(row.id);
    await send("INSERT INTO streams (kind, name) VALUES ($1, $2) ON CONFLICT DO NOTHING", [kind, name]);
  }
}

async function lockLease(send: SendStatement, stream: number): Promise<Lease | undefined> {
  const [row] = await send("SELECT owner, holder FROM leases WHERE stream = $1 FOR UPDATE", [stream]);
  if (row === undefined) return undefined;
  const [owner] = await send(`SELECT ${ownerIsAlive("$1::uuid")} AS alive`, [row.owner]);
  return { owner: String(row.owner), holder: String(row.holder), isAlive: owner?.alive === true };
}

/** Ends the open runs of a stream that has lost its owner. */
async function endOpenRuns(
  send: SendStatement,
  state: StreamState,
  holder = "the process",
  now: () => number,
): Promise<StreamState> {
  let ended = state;
  for (const [runId, run] of state.openRuns) {
    const rows = await send("SELECT seq, time, type, fields FROM events WHERE stream = $1 AND run = $2 ORDER BY seq", [
      state.id,
      run,
    ]);
    const scope = scopeOf(state.key, runId);
    const drafts = describeInterruption(
      rows.map((row) => toStoredEvent(row, scope)),
      holder,
    );
    const { lastSeq } = ended;
    const time = now();
    const events = drafts.map((draft, index): RunEvent => ({ seq: lastSeq + 1 + index, time, ...scope, ...draft }));
    ended = await writeEvents(
      send,
      ended,
      events.map((event) => ({ event, fields: storedFieldsOf(event) })),
    );
  }
  if (ended !== state) await notifyListeners(send, { key: state.key, runIds: [...state.openRuns.keys()] });
  return ended;
}
