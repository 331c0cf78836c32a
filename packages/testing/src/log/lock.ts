/**
 * The lock of a result file. Only one process at a time may write the file. A lock is an empty file with all information in its name. It is
 * thus never half written, and a process can only remove the lock that it has read.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning, readStartTime } from "@bridle/core";
import { StoreBusyError } from "@bridle/protocol";

const form = /^(?<id>[^.]+)\.(?<pid>\d+)\.(?<startTime>.+)\.[0-9a-f]{16}\.lock$/;
const unknown = "unknown"; // the system reports no start times

interface LockFile {
  readonly name: string;
  readonly id: string;
  readonly pid: number;
  readonly startTime: string;
}

export interface Lock {
  release(): void;
}

/**
 * Takes the lock of an invocation until `release`. Removes locks of dead processes, including those of other invocations. Creates its own
 * lock before it looks for others, so of two processes at the same time both may be rejected, but never both get the lock.
 *
 * @throws StoreBusyError if a living process has the lock.
 */
export function lock(folder: string, id: string, path: string): Lock {
  const startTime = readStartTime(process.pid) ?? unknown;
  const name = `${id}.${process.pid}.${startTime}.${randomBytes(8).toString("hex")}.lock`;
  const release = () => rmSync(join(folder, name), { force: true });
  writeFileSync(join(folder, name), "", { mode: 0o600, flag: "wx" });
  try {
    const others = locksIn(folder).filter((other) => other.name !== name);
    const held = others.filter(isHeld);
    const holder = held.find((other) => other.id === id);
    if (holder !== undefined) throw busy(holder, path);
    for (const other of others) if (!held.includes(other)) rmSync(join(folder, other.name), { force: true });
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

/** Lists the ids of the invocations that a living process is running. */
export function runningIn(folder: string): ReadonlySet<string> {
  return new Set(
    locksIn(folder)
      .filter(isHeld)
      .map(({ id }) => id),
  );
}

function locksIn(folder: string): LockFile[] {
  return readdirSync(folder).flatMap((name) => {
    const { id, pid, startTime } = form.exec(name)?.groups ?? {};
    return id !== undefined && startTime !== undefined ? [{ name, id, pid: Number(pid), startTime }] : [];
  });
}

function isHeld({ pid, startTime }: LockFile): boolean {
  return isRunning(pid, startTime === unknown ? null : startTime);
}

function busy({ pid }: LockFile, path: string): StoreBusyError {
  const message = `Process ${pid} is running the tests of ${path}. Wait until it ends or stop it, then try again.`;
  return new StoreBusyError(message, path, { holder: `the process ${pid}` });
}
