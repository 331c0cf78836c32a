/**
 * The streams that this process writes. A stream is held from the time its writer is opened until it is closed and all its
 * runs have ended.
 */
import { randomUUID } from "node:crypto";
import { StoreError, type StreamScope } from "@bridle/protocol";
import type { LogDatabase } from "../database/log-database.ts";
import { streamTables } from "../database/log-schema.ts";
import { keyOf, nameOfKey, type StreamKey } from "../database/stream-state.ts";
import type { Followers } from "../following/changes-of-streams.ts";
import type { LeaseOwner } from "./lease-owner.ts";
import { LeasedStream } from "./leased-stream.ts";
import { createBusyError, endAbandoned, findAbandoned, lockIdleSession, takeLease } from "./leases.ts";

export interface LeasedStreamsOptions {
  readonly database: LogDatabase;
  readonly owner: LeaseOwner;
  readonly followers: Followers;
  now(): number;
}

const thisProcess = "another run of this process";

export class LeasedStreams {
  readonly #options: LeasedStreamsOptions;
  readonly #held = new Map<string, LeasedStream>();
  /** The names of streams that are being taken. */
  readonly #taking = new Set<string>();
  readonly #releasing = new WeakMap<LeasedStream, Promise<void>>();
  readonly #unreleased = new Set<LeasedStream>();

  constructor(options: LeasedStreamsOptions) {
    this.#options = options;
  }

  /** Takes a stream for a new writer. Rejects with a StoreBusyError if the stream has a writer, here or in another process. */
  async open(scope: StreamScope): Promise<LeasedStream> {
    const key = keyOf(scope);
    const name = nameOfKey(key);
    const known = this.#held.get(name);
    if (known?.hasWriter || this.#taking.has(name)) throw this.#busyHere(key);
    if (known) {
      known.hasWriter = true;
      return known;
    }
    this.#taking.add(name);
    try {
      const stream = await this.#take(key);
      this.#held.set(name, stream);
      return stream;
    } finally {
      this.#taking.delete(name);
    }
  }

  /** Ends the work of a writer. A stream with an open run, or with events that cannot be written yet, stays held. Never rejects. */
  async close(stream: LeasedStream): Promise<void> {
    stream.hasWriter = false;
    await Promise.allSettled([stream.flush()]);
    await this.#releaseIfFree(stream);
  }

  /** Writes the queued events of one session or of all streams, as far as possible. */
  async flush(sessionId?: string): Promise<void> {
    const own = sessionId === undefined ? undefined : this.#held.get(nameOfKey(keyOf({ sessionId })));
    const streams = sessionId === undefined ? this.#held.values() : own ? [own] : [];
    await Promise.allSettled([...streams].map((stream) => stream.flush()));
  }

  /** Ends the runs of owners that died. */
  async endAbandoned(): Promise<void> {
    const { database, owner, now } = this.#options;
    const streams = await database.read((send) => findAbandoned(send, owner));
    for (const stream of streams) await database.write((send) => endAbandoned(send, stream, owner, now));
  }

  /** Releases streams that could not be released before. */
  async releaseLeftovers(): Promise<void> {
    await Promise.all([...this.#unreleased].map((stream) => this.#release(stream)));
  }

  /** Removes a session, unless it has a writer or an open run. */
  async removeSession(sessionId: string): Promise<void> {
    const { database } = this.#options;
    const key = keyOf({ sessionId });
    const name = nameOfKey(key);
    await this.#held.get(name)?.flush();
    if (this.#held.has(name) || this.#taking.has(name)) throw this.#busyHere(key);
    await database.write(async (send) => {
      const stream = await lockIdleSession(send, key, database.address);
      if (stream === undefined) return;
      for (const table of streamTables) await send(`DELETE FROM ${table} WHERE stream = $1`, [stream]);
      await send("DELETE FROM streams WHERE id = $1", [stream]);
    });
  }

  /** Writes the queued events, then gives up all streams. */
  async leave(): Promise<void> {
    await this.flush();
    const { address } = this.#options.database;
    const closed = new StoreError(`The event log in ${address} is closed. Open it again.`, address);
    for (const stream of this.#held.values()) stream.lose(closed);
  }

  async #take(key: StreamKey): Promise<LeasedStream> {
    const { database, owner, followers, now } = this.#options;
    const token = randomUUID();
    const request = { key, owner, token, address: database.address, now };
    const state = await database.write((send) => takeLease(send, request));
    return new LeasedStream(state, {
      database,
      token,
      onLost: (stream) => void (this.#held.get(stream.name) === stream && this.#held.delete(stream.name)),
      onWritten: (change) => followers.wake(change),
      onIdle: (stream) => void this.#releaseIfFree(stream),
    });
  }

  async #releaseIfFree(stream: LeasedStream): Promise<void> {
    if (this.#held.get(stream.name) === stream && stream.isFree) {
      this.#held.delete(stream.name);
      this.#releasing.set(stream, this.#release(stream));
    }
    await this.#releasing.get(stream);
  }

  /** Releases a stream. Never rejects: if releasing fails, it is tried again later. Until then, this owner can take the stream again. */
  async #release(stream: LeasedStream): Promise<void> {
    try {
      await this.#options.database.write(async (send) => {
        await send("DELETE FROM leases WHERE stream = $1 AND token = $2", [stream.id, stream.token]);
      });
      this.#unreleased.delete(stream);
    } catch {
      this.#unreleased.add(stream);
    }
  }

  #busyHere(key: StreamKey): Error {
    return createBusyError(key, thisProcess, this.#options.database.address);
  }
}
