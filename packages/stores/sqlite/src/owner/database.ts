import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  createPrivateFolder,
  makePrivate,
  openDatabase,
  readSqliteCode,
  refuseLinks,
  secureSqlite,
  sqliteBusyMs,
  sqliteCodes,
  temporaryPrefix,
  useWriteAheadLog,
} from "@bridle/core";
import { StoreError, systemErrorCode } from "@bridle/protocol";
import { createTables, formatVersion, hasTables, migrate, refuseForeignSchema, refuseNewer } from "../files/schema.ts";
import { hasTag, writeTag } from "./owner-tag.ts";
import { sealPath, sealWrites } from "./write-ahead-seal.ts";

/**
 * Opens the file of an event log for writing. If there is none, creates a file that only its owner may read, with the mark of `ownerKey`.
 * If the file has this mark, also seals the files that SQLite writes next to it.
 */
export function openForWriting(folder: string, file: string, ownerKey?: Uint8Array): DatabaseSync {
  createPrivateFolder(folder);
  refuseLinkedFiles(file);
  if (!existsSync(file)) createFiles(folder, file);
  for (const path of databaseFiles(file)) makePrivate(path);
  return open(file, (database) => {
    refuseNewer(database, file);
    refuseForeignSchema(database, file);
    createTables(database, () => ownerKey && writeTag(database, ownerKey));
    useWriteAheadLog(database);
    formatVersion(database); // the first read in this mode creates the file to seal
    if (ownerKey !== undefined && hasTag(database, ownerKey)) sealWrites(file, ownerKey);
    migrate(database);
  });
}

/**
 * Opens the file of an event log for reading, even if the folder cannot be written. Without a file, the event log is
 * empty. An older format is read as it is, not migrated.
 */
export function openForReading(file: string): DatabaseSync {
  if (!exists(file)) return open(":memory:", migrate);
  refuseLinkedFiles(file);
  const database = openUnchanged(file);
  if (hasTables(database)) return database;
  database.close(); // another process is still creating the tables
  return open(":memory:", migrate);
}

/** Whether the file exists. Throws a StoreError if this user may not read it, because that does not mean an empty event log. */
function exists(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    const message = `This user may not read the event log ${file}. Read it as its owner, or give this user permission.`;
    throw new StoreError(message, file, { cause });
  }
}

function openUnchanged(file: string): DatabaseSync {
  const check = (database: DatabaseSync) => {
    refuseNewer(database, file);
    refuseForeignSchema(database, file);
  };
  try {
    return open(file, check, true);
  } catch (error) {
    if (!cannotOpen(error)) throw error;
    return openCopy(file, check); // SQLite would write files next to the one that it reads
  }
}

/**
 * Opens a database for reading. Ignores the files next to it and the locks of other processes, which may change the database meanwhile, so
 * use it only for values that never change. Throws a StoreError for a foreign schema.
 */
export function openMainFile(file: string): DatabaseSync {
  const address = pathToFileURL(file);
  address.searchParams.set("immutable", "1");
  return open(address, (database) => refuseForeignSchema(database, file), true);
}

function open(file: string | URL, prepare: (database: DatabaseSync) => void, readOnly = false): DatabaseSync {
  const database = openDatabase(file, { readOnly });
  try {
    database.exec(`PRAGMA busy_timeout = ${sqliteBusyMs}`);
    secureSqlite(database);
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Lists the database, and the files that SQLite puts next to it and reads again. */
function databaseFiles(file: string): string[] {
  return ["", "-wal", "-shm", "-journal"].map((end) => file + end);
}

/** Throws a StoreError if one of an event log's files is a link. */
export function refuseLinkedFiles(file: string): void {
  for (const path of [...databaseFiles(file), sealPath(file)]) refuseLinks(path);
}

/**
 * Creates the folder and the file. SQLite creates its other files with the same mode. A `.gitignore` keeps the event log out of version
 * control.
 */
function createFiles(folder: string, file: string): void {
  const ignored = `${basename(file)}*\nartifacts/\n`;
  if (!existsSync(join(folder, ".gitignore"))) writeFileSync(join(folder, ".gitignore"), ignored);
  closeSync(openSync(file, "a", 0o600));
}

function openCopy(file: string, check: (database: DatabaseSync) => void): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), temporaryPrefix("bridle-event-log")));
  try {
    const copy = join(folder, basename(file));
    for (const end of ["", "-wal"]) if (sizeOf(file + end) > 0) copyFileSync(file + end, copy + end);
    const database = open(copy, check);
    database.exec("PRAGMA query_only = ON; PRAGMA journal_mode"); // keeps the files open even if the folder is removed
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
  const code = readSqliteCode(error);
  return code === sqliteCodes.readOnly || code === sqliteCodes.io || code === sqliteCodes.cannotOpen;
}
