import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "@bridle/protocol";
import { busyMs } from "./failures.ts";
import { isMade, migrate, refuseNewer } from "./schema.ts";

/** Opens a record's file for writing, and makes it where there is none. Only its owner may read it. */
export function openForWriting(folder: string, file: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) createFiles(folder, file);
  return open(file, (database) => {
    refuseNewer(database, file);
    useWriteAheadLog(database);
    migrate(database);
  });
}

/**
 * Opens a record's file for reading, also where nothing can be written; an empty record where there is no file. A file
 * of another format is not brought to ours: it is only read.
 */
export function openForReading(file: string): DatabaseSync {
  if (!isThere(file)) return open(":memory:", migrate);
  const database = openAsItIs(file);
  if (isMade(database)) return database;
  database.close(); // another process is about to make it
  return open(":memory:", migrate);
}

/** Throws StoreError for a record of somebody else's, which is not an empty one. */
function isThere(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    const message = `This user may not read the record ${file}. Read it as its owner, or let this user read there.`;
    throw new StoreError(message, file, { cause });
  }
}

function openAsItIs(file: string): DatabaseSync {
  const check = (database: DatabaseSync) => refuseNewer(database, file);
  try {
    return open(file, check, true);
  } catch (error) {
    if (!cannotOpen(error)) throw error;
    return openCopy(file, check); // SQLite needs to write beside a file that it reads
  }
}

function open(file: string, prepare: (database: DatabaseSync) => void, readOnly = false): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly });
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The files that SQLite makes beside it get the same mode. What is on record is not for version control. */
function createFiles(folder: string, file: string): void {
  const ignored = `${basename(file)}*\nartifacts/\n`;
  if (!existsSync(join(folder, ".gitignore"))) writeFileSync(join(folder, ".gitignore"), ignored);
  closeSync(openSync(file, "a", 0o600));
}

/** Two processes that begin at once are both told that the file is busy, without a wait. */
function useWriteAheadLog(database: DatabaseSync): void {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      return;
    } catch (error) {
      if (resultCodeOf(error) !== 5 || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function openCopy(file: string, check: (database: DatabaseSync) => void): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), "bridle-record-"));
  try {
    const copy = join(folder, basename(file));
    for (const end of ["", "-wal"]) if (sizeOf(file + end) > 0) copyFileSync(file + end, copy + end);
    const database = open(copy, check);
    database.exec("PRAGMA query_only = ON; PRAGMA journal_mode"); // holds the files open: they may go from the folder
    database.prepare("SELECT count(*) FROM sqlite_master").get();
    return database;
  } finally {
    if (process.platform !== "win32") rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function cannotOpen(error: unknown): boolean {
  return [8, 10, 14].includes(resultCodeOf(error)); // read only, input and output, cannot open
}

function resultCodeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
}
