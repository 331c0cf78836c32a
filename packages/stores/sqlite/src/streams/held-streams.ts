/**
 * The streams that this process writes. No other process may write a held stream. A stream is held from its first event
 * or from a claim until all its runs have ended.
 */
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
  /** The ids of runs that have not ended, by run id of the event log. */
  openRuns: ReadonlyMap<string, number>;
  /** Whether a caller has claimed it for the next run. */
  isClaimed: boolean;
}

export interface HeldStreamOptions {
  database: DatabaseSync;
  file: string;
  streams: Streams;
  leases: Leases;
  recovery: Recovery;
  owner: Owner;
}

export class HeldStreams {
  readonly #options: HeldStreamOptions;
  readonly #held = new Map<string, HeldStream>();

  constructor(options: HeldStreamOptions) {
    this.#options = options;
  }

  /** The stream of a run or a session. Throws a StoreBusyError if another owner holds it. */
  hold(scope: RunScope): HeldStream {
    const name = scope.sessionId === undefined ? `run ${scope.runId}` : `session ${scope.sessionId}`;
    const known = this.#held.get(name);
    if (known) return known;
    const { database, streams, leases, owner } = this.#options;
    const stream = inTransaction(database, () => {
      const id = streams.getId(scope);
      this.refuseOthers(id, name);
      leases.take(id, owner);
      return { id, name, lastSeq: streams.lastSeq(id), openRuns: new Map(), isClaimed: false };
    });
    this.#held.set(name, stream);
    return stream;
  }

  /** Holds a session for its next run. Throws a StoreBusyError if it is claimed or has a run. */
  claim(sessionId: string): HeldStream {
    const stream = this.hold({ runId: "", sessionId });
    if (stream.isClaimed || stream.openRuns.size > 0) throw this.busyError(stream.name, process.pid);
    stream.isClaimed = true;
    return stream;
  }

  /** Ends a claim. The stream stays held if it has a run or unwritten events. */
  endClaim(stream: HeldStream, hasUnwritten: boolean): void {
    stream.isClaimed = false;
    const isFree = this.#held.get(stream.name) === stream && stream.openRuns.size === 0 && !hasUnwritten;
    if (isFree && this.#options.database.isOpen) this.#release(stream);
  }

  /** Throws a StoreBusyError if another owner holds the stream. Ends its runs first if that owner died. */
  refuseOthers(stream: number, name: string): void {
    const { leases, owner, recovery } = this.#options;
    const holder = leases.holderOf(stream);
    if (holder === undefined || holder.token === owner.token) return;
    if (isAlive(holder)) throw this.busyError(name, holder.pid);
    recovery.close(stream, holder);
  }

  has(name: string): boolean {
    return this.#held.has(name);
  }

  /** Forgets a stream. The caller releases its lease. */
  drop({ name }: HeldStream): void {
    this.#held.delete(name);
  }

  busyError(name: string, pid: number): StoreBusyError {
    const holder = pid === process.pid ? "another runtime of this process" : `the process ${pid}`;
    const message = `The ${name} is in use by ${holder}. Wait until its run has ended, or use another.`;
    return new StoreBusyError(message, this.#options.file, { holder: pid });
  }

  /** If the release cannot be written, the stream stays held here for the next claim. */
  #release(stream: HeldStream): void {
    const { database, leases } = this.#options;
    try {
      inTransaction(database, () => leases.release(stream.id));
    } catch {
      return;
    }
    this.#held.delete(stream.name);
  }
}
