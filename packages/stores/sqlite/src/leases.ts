import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { isRunning, startTimeOf } from "@bridle/core";

/** Who writes a stream: one open store of one process. */
export interface Owner {
  readonly token: string;
  readonly pid: number;
  readonly startTime: string | null;
}

/** The stores that this process has open, whichever copy of this package opened them. */
const open: Set<string> = tokensOf(Symbol.for("bridle.store.open"));

function tokensOf(key: symbol): Set<string> {
  const tokens: unknown = Reflect.get(globalThis, key);
  if (tokens instanceof Set) return tokens;
  const fresh = new Set<string>();
  Reflect.set(globalThis, key, fresh);
  return fresh;
}

export function createOwner(): Owner & { leave(): void } {
  const token = randomUUID();
  open.add(token);
  const startTime = startTimeOf(process.pid) ?? null;
  return { token, pid: process.pid, startTime, leave: () => void open.delete(token) };
}

export function isAlive({ token, pid, startTime }: Owner): boolean {
  if (pid === process.pid && startTime === (startTimeOf(pid) ?? null)) return open.has(token);
  return isRunning(pid, startTime);
}

/** Who holds which stream. Called within a transaction, but for `all`. */
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
      return row && ownerOf(row);
    },
    take: (stream, { token, pid, startTime }) => void put.run(stream, token, pid, startTime),
    release: (stream) => void remove.run(stream),
    all: () => every.all().map((row) => ({ stream: Number(row.stream), owner: ownerOf(row) })),
  };
}

export function ownerOf({ token, pid, startTime }: Record<string, unknown>): Owner {
  return { token: String(token), pid: Number(pid), startTime: startTime === null ? null : String(startTime) };
}
