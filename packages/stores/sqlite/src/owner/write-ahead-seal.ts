/**
 * Seals the `-wal` file, which contains the newest writes. SQLite applies a `-wal` file next to a database, regardless of who wrote it. The
 * seal identifies the file that this user's processes write, so that a file that came with a project is not applied.
 *
 * The file is identified by its inode number and its creation time. Both stay the same while SQLite writes the file and when the folder is
 * moved, and both change if another program replaces the file.
 */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readTextFileSync } from "@bridle/core";
import { systemErrorCode } from "@bridle/protocol";
import { isSameTag, tagOf } from "./owner-tag.ts";

/** The maximum number of checks. One is not enough, because another process may replace the file and its seal during a check. */
const looks = 5;
/** The maximum number of checks while another process creates an event log, because creating one may be slow on a busy machine. */
export const looksDuringCreation = 100;
const lookAgainMs = 20;

/**
 * Seals the `-wal` file of an open database. Call it after the first read, which creates the file, and before the first write, because an
 * empty file needs no seal.
 */
export function sealWrites(file: string, key: Uint8Array): void {
  const identity = identityOf(file);
  if (identity === undefined) return;
  const seal = tagOf(key, "seal", hasBirthTimes(file) ? identity.whole : identity.number);
  if (readSeal(file) === seal) return;
  const draft = `${sealPath(file)}.${randomUUID()}`;
  try {
    writeFileSync(draft, seal, { mode: 0o600, flag: "wx" });
    renameSync(draft, sealPath(file));
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Whether SQLite would apply only this user's writes to the database. A rollback journal never comes from this user, because the event log
 * uses none.
 */
export function areWritesSealed(file: string, key: Uint8Array): boolean {
  for (let look = 1; ; look++) {
    const isCreated = !hasRollbackJournal(file); // a process that creates the event log may have a journal for a moment
    if (isCreated && isSealed(file, key)) return true;
    if (look >= (isCreated ? looks : looksDuringCreation)) return false;
    waitForNextLook();
  }
}

/** Blocks the process for a moment, so that another process can continue. */
export function waitForNextLook(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookAgainMs);
}

/** Returns the path of the seal. */
export function sealPath(file: string): string {
  return `${file}-seal`;
}

function hasRollbackJournal(file: string): boolean {
  return (statSync(`${file}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function isSealed(file: string, key: Uint8Array): boolean {
  const identity = identityOf(file);
  if (identity === undefined || identity.isEmpty) return true;
  const seal = readSeal(file);
  return [identity.whole, identity.number].some((each) => isSameTag(seal, tagOf(key, "seal", each)));
}

interface Identity {
  readonly isEmpty: boolean;
  readonly number: string;
  /** The inode number and the creation time. */
  readonly whole: string;
}

function identityOf(file: string): Identity | undefined {
  const stats = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return { isEmpty: stats.size === 0n, number: `${stats.ino}`, whole: `${stats.ino} ${stats.birthtimeNs}` };
}

/**
 * Whether the file system reports creation times. Some report the time of the last change instead, which does not identify a file. To find
 * out, compares both times of the database, which has been changed since its creation.
 */
function hasBirthTimes(file: string): boolean {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && stats.birthtimeNs > 0n && stats.birthtimeNs !== stats.ctimeNs;
}

function readSeal(file: string): string {
  try {
    return readTextFileSync(sealPath(file));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw error;
  }
}
