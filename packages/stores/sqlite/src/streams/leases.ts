import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { isRunning, readStartTime } from "@bridle/core";

/** The writer of a stream: one open store of one process. */
export interface Owner {
  readonly token: string;
  readonly pid: number;
  readonly startTime: string | null;
}

/** The tokens of the stores that this process has open, shared by all loaded copies of this package. */
const openTokens: Set<string> = sharedSet(Symbol.for("bridle.store.open"));

function sharedSet(key: symbol): Set<string> {
  const existing: unknown = Reflect.get(globalThis, key);
  if (existing instanceof Set) return existing;
  const tokens = new Set<string>();
  Reflect.set(globalThis, key, tokens);
  return tokens;
}

/** Creates an owner in this process. The owner is alive until `leave` is called or the process ends. */
export function createOwner(): Owner & { leave(): void } {
  const token = randomUUID();
  openTokens.add(token);
  const startTime = readStartTime(process.pid) ?? null;
  return { token, pid: process.pid, startTime, leave: () => void openTokens.delete(token) };
}

/** Returns a readable description of an owner. */
export function describeOwner({ pid }: Owner): string {
  return pid === process.pid ? "another runtime of this process" : `the process ${pid}`;
}

export function isAlive({ token, pid, startTime }: Owner): boolean {
  if (pid === process.pid && startTime === (readStartTime(pid) ?? null)) return openTokens.has(token);
  return isRunning(pid, startTime);
}

/** Reads and writes the owner of each held stream. Call everything except `all` in a transaction. */
export interface Leases {
  holderOf(stream: number): Owner | undefined;
  take(stream: number, owner: Owner): void;
  release(stream: number): void;
  all(): readonly { readonly stream: number; readonly owner: Owner }[];
}

export function createLeases(database: DatabaseSync): Leases {
  const columns = "stream, token, pid, start_time AS startTime";
  const one = database.prepare(`SELECT ${columns} FROM leases WHERE stream = ?`);
  const every = database.prepare(`SELECT ${columns} FROM leases`);
  const put = database.prepare("INSERT OR REPLACE INTO leases (stream, token, pid, start_time) VALUES (?, ?, ?, ?)");
  const remove = database.prepare("DELETE FROM leases WHERE stream = ?");
  return {
    holderOf(stream) {
      const row = one.get(stream);
      return row && readOwner(row);
    },
    take: (stream, { token, pid, startTime }) => void put.run(stream, token, pid, startTime),
    release: (stream) => void remove.run(stream),
    all: () => every.all().map((row) => ({ stream: Number(row.stream), owner: readOwner(row) })),
  };
}

/** Reads the owner in a row with the columns token, pid and startTime. */
export function readOwner({ token, pid, startTime }: Record<string, unknown>): Owner {
  return { token: String(token), pid: Number(pid), startTime: startTime === null ? null : String(startTime) };
}
