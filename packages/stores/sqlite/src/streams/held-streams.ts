/**
 * The streams that this process writes. No other process may write a held stream. A stream is held from the time its writer is
 * opened until it is closed and all its runs have ended.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type RunEvent, StoreBusyError, type StreamScope } from "@bridle/protocol";
import { describeOwner, isAlive, type Leases, type Owner } from "./leases.ts";
import type { Recovery } from "./recovery.ts";
import type { Streams } from "./streams.ts";

/** An event or a long text. */
type QueuedItem =
  | { readonly event: RunEvent; readonly fields: string }
  | { readonly id: string; readonly bytes: Buffer };

export interface HeldStream {
  readonly id: number;
  readonly name: string;
  lastSeq: number;
  /** The database ids of runs that have not ended, by their run id. */
  openRuns: ReadonlyMap<string, number>;
  /** Whether a writer is open. */
  hasWriter: boolean;
  /** The file's version when this process was last certain to have the lease. */
  checkedAt: number;
  /** The items that are only in memory, in the order in which they were added. */
  readonly queue: QueuedItem[];
  /** Why the last write failed. The next write tries again. */
  failure?: unknown;
  /** Set if an event could not be written because the stream has another owner now. */
  lost?: Error;
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
  readonly #opening = new Set<string>();
  readonly #versionOf: StatementSync;

  constructor(options: HeldStreamOptions) {
    this.#options = options;
    this.#versionOf = options.database.prepare("PRAGMA data_version");
  }

  /** Returns the stream for its new writer, if this process holds it already. Throws a StoreBusyError if the stream has a writer. */
  takeHeld(scope: StreamScope): HeldStream | undefined {
    const name = nameOf(scope);
    const held = this.#held.get(name);
    if (held?.hasWriter || this.#opening.has(name)) throw this.busyError(name, this.#options.owner);
    if (held) held.hasWriter = true;
    else this.#opening.add(name);
    return held;
  }

  /**
   * Takes the lease of a stream for a new writer. Returns a function to call after the commit. Call it in a transaction. Throws a
   * StoreBusyError, and writes nothing, if another owner holds the stream.
   */
  take(scope: StreamScope): () => HeldStream {
    const { streams, leases, owner } = this.#options;
    const name = nameOf(scope);
    const { id, isNew } = streams.get(scope);
    if (!isNew) this.refuseOthers(id, name);
    leases.take(id, owner);
    const lastSeq = isNew ? 0 : streams.lastSeq(id);
    const checkedAt = this.#version();
    return () => {
      const stream = { id, name, lastSeq, openRuns: new Map(), hasWriter: true, queue: [], checkedAt };
      this.#held.set(name, stream);
      return stream;
    };
  }

  /** Records that a stream is no longer being taken. Call it when `take` has ended. */
  endTaking(scope: StreamScope): void {
    this.#opening.delete(nameOf(scope));
  }

  /**
   * Whether this process still has the lease of this stream. The lease of a later stream with the same name does not count. Call it in a
   * transaction.
   */
  holds(stream: HeldStream): boolean {
    if (this.#held.get(stream.name) !== stream) return false;
    const version = this.#version();
    if (stream.checkedAt === version) return true;
    const { leases, owner } = this.#options;
    const isOurs = leases.holderOf(stream.id)?.token === owner.token;
    if (isOurs) stream.checkedAt = version;
    return isOurs;
  }

  /** Throws a StoreBusyError if another owner holds the stream. If that owner died, ends the owner's runs instead. */
  refuseOthers(stream: number, name: string): void {
    const { leases, owner, recovery } = this.#options;
    const holder = leases.holderOf(stream);
    if (holder === undefined || holder.token === owner.token) return;
    if (isAlive(holder)) throw this.busyError(name, holder);
    recovery.close(stream, holder);
  }

  has(name: string): boolean {
    return this.#held.has(name);
  }

  /** Forgets a stream after the caller has released its lease. Does not forget a later stream with the same name. */
  forget(stream: HeldStream): void {
    if (this.#held.get(stream.name) === stream) this.#held.delete(stream.name);
  }

  /** Returns the error for a stream that has another owner now. Call it in a transaction. */
  lostError({ id, name }: HeldStream): StoreBusyError {
    const { leases, owner } = this.#options;
    return this.busyError(name, leases.holderOf(id) ?? owner);
  }

  /** Forgets a stream that has another owner now, including the stream's items in memory. */
  drop(stream: HeldStream, error: StoreBusyError): void {
    stream.lost = error;
    stream.queue.length = 0;
    this.forget(stream);
  }

  /** Returns a version that stays the same as long as only this store writes the file. */
  #version(): number {
    return Number(this.#versionOf.get()?.data_version);
  }

  busyError(name: string, owner: Owner): StoreBusyError {
    const holder = describeOwner(owner);
    const message = `The ${name} is in use by ${holder}. Wait until its run has ended, or use another.`;
    return new StoreBusyError(message, this.#options.file, { holder });
  }
}

/** Returns the name of a stream, with its kind: a run and a session may have the same id. */
export function nameOf(scope: StreamScope): string {
  return "sessionId" in scope ? `session ${scope.sessionId}` : `run ${scope.runId}`;
}
