/** The streams that this process writes: each is its own from the first event on, or from a claim, until no run goes on. */

import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "@bridle/core";
import { type RunScope, StoreBusyError } from "@bridle/protocol";
import { isAlive, type Leases, type Owner } from "./leases.ts";
import type { Recovery } from "./recovery.ts";
import type { Streams } from "./streams.ts";

export interface HeldStream {
  readonly id: number;
  readonly name: string;
  lastSeq: number;
  /** Runs that go on, and their ids. */
  open: ReadonlyMap<string, number>;
  /** Somebody here has it for a run that is to begin. */
  isClaimed: boolean;
}

export interface HeldStreamServices {
  database: DatabaseSync;
  file: string;
  streams: Streams;
  leases: Leases;
  recovery: Recovery;
  owner: Owner;
}

export interface HeldStreams {
  /** Throws StoreBusyError where somebody else has it, as `claim` does, and `refuseOthers` within a transaction. */
  hold(place: RunScope): HeldStream;
  claim(sessionId: string): HeldStream;
  /** Ends a claim. The stream stays held where it has a run, or where events of it are `owed`. */
  giveBack(stream: HeldStream, owed: boolean): void;
  refuseOthers(stream: number, name: string): void;
  has(name: string): boolean;
  /** From now on it is not held; its lease is whoever calls to see to. */
  drop(stream: HeldStream): void;
  busy(name: string, pid: number): StoreBusyError;
}

export function createHeldStreams({
  database,
  file,
  streams,
  leases,
  recovery,
  owner,
}: HeldStreamServices): HeldStreams {
  const held = new Map<string, HeldStream>();

  function hold(place: RunScope): HeldStream {
    const key = place.sessionId === undefined ? `run ${place.runId}` : `session ${place.sessionId}`;
    const known = held.get(key);
    if (known) return known;
    const stream = inTransaction(database, () => {
      const id = streams.idOf(place);
      refuseOthers(id, key);
      leases.take(id, owner);
      return { id, name: key, lastSeq: streams.lastSeq(id), open: new Map(), isClaimed: false };
    });
    held.set(key, stream);
    return stream;
  }

  /** A holder that died is closed first. */
  function refuseOthers(stream: number, name: string): void {
    const holder = leases.holderOf(stream);
    if (holder === undefined || holder.token === owner.token) return;
    if (isAlive(holder)) throw busy(name, holder.pid);
    recovery.close(stream, holder);
  }

  /** Without a run there is no event that gives it back. Where that cannot be written it stays here, for the next claim. */
  function release(stream: HeldStream): void {
    try {
      inTransaction(database, () => leases.release(stream.id));
    } catch {
      return;
    }
    held.delete(stream.name);
  }

  function busy(name: string, pid: number): StoreBusyError {
    const where = pid === process.pid ? "this process, by another runtime" : `the process ${pid}`;
    const message = `The ${name} is in use in ${where}. Wait until its run has ended, or use another.`;
    return new StoreBusyError(message, file, { holder: pid });
  }

  return {
    hold,
    claim(sessionId) {
      const stream = hold({ runId: "", sessionId });
      if (stream.isClaimed || stream.open.size > 0) throw busy(stream.name, process.pid);
      stream.isClaimed = true;
      return stream;
    },
    giveBack(stream, owed) {
      stream.isClaimed = false;
      const isFree = held.get(stream.name) === stream && stream.open.size === 0 && !owed;
      if (isFree && database.isOpen) release(stream);
    },
    refuseOthers,
    has: (name) => held.has(name),
    drop: ({ name }) => void held.delete(name),
    busy,
  };
}
