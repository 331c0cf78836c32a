import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  createPrivateDatabase,
  createPrivateFolder,
  databaseFiles,
  formatVersion,
  openDistrusted,
  readSqliteCode,
  refuseLinks,
  sqliteCodes,
  temporaryPrefix,
  useWriteAheadLog,
} from "@bridle/core";
import { StoreError, systemErrorCode } from "@bridle/protocol";
import { createTables, eventLogFormats, hasTables, requireOwnSchema } from "../files/schema.ts";
import { hasTag, writeTag } from "./owner-tag.ts";
import { sealPath, sealWrites } from "./write-ahead-seal.ts";

/**
 * Opens the file of an event log for writing. If there is none, creates a file that only its owner may read, with the mark of `ownerKey`.
 * If the file has this mark, also seals the files that SQLite writes next to it.
 */
export function openForWriting(folder: string, file: string, ownerKey?: Uint8Array): DatabaseSync {
  createPrivateFolder(folder);
  refuseLinkedFiles(file);
  if (!existsSync(file)) ignoreFiles(folder, file);
  createPrivateDatabase(file);
  return openDistrusted(file, (database) => {
    requireOwnSchema(database, file);
    createTables(database, () => ownerKey && writeTag(database, ownerKey));
    useWriteAheadLog(database);
    formatVersion(database); // the first read in this mode creates the file to seal
    if (ownerKey !== undefined && hasTag(database, ownerKey)) sealWrites(file, ownerKey);
    eventLogFormats.migrate(database);
  });
}

/**
 * Opens the file of an event log for reading, even if the folder cannot be written. Without a file, the event log is
 * empty. An older format is read as it is, not migrated.
 */
export function openForReading(file: string): DatabaseSync {
  if (!exists(file)) return openEmpty();
  refuseLinkedFiles(file);
  const database = openUnchanged(file);
  if (hasTables(database)) return database;
  database.close(); // another process is creating the tables
  return openEmpty();
}

function openEmpty(): DatabaseSync {
  return openDistrusted(":memory:", (database) => eventLogFormats.migrate(database));
}

/** Whether the file exists. Throws a StoreError if this user may not read the file, because such a log must not count as empty. */
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
  const check = (database: DatabaseSync) => requireOwnSchema(database, file);
  try {
    return openDistrusted(file, check, { readOnly: true });
  } catch (error) {
    if (!cannotOpen(error)) throw error;
    return openCopy(file, check); // without write permission, SQLite cannot create its files next to the database
  }
}

/**
 * Opens a database for reading. Ignores the files next to it and the locks of other processes, which may change the database at the same
 * time. Use it only for values that never change. Throws a StoreError for a foreign schema.
 */
export function openMainFile(file: string): DatabaseSync {
  const address = pathToFileURL(file);
  address.searchParams.set("immutable", "1");
  return openDistrusted(address, (database) => requireOwnSchema(database, file), { readOnly: true });
}

/** Throws a StoreError if one of an event log's files is a link. */
export function refuseLinkedFiles(file: string): void {
  for (const path of [...databaseFiles(file), sealPath(file)]) refuseLinks(path);
}

/** The event log does not belong in version control. */
function ignoreFiles(folder: string, file: string): void {
  const ignored = `${basename(file)}*\nartifacts/\n`;
  if (!existsSync(join(folder, ".gitignore"))) writeFileSync(join(folder, ".gitignore"), ignored);
}

function openCopy(file: string, check: (database: DatabaseSync) => void): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), temporaryPrefix("bridle-event-log")));
  try {
    const copy = join(folder, basename(file));
    for (const end of ["", "-wal"]) if (sizeOf(file + end) > 0) copyFileSync(file + end, copy + end);
    const database = openDistrusted(copy, check);
    database.exec("PRAGMA query_only = ON; PRAGMA journal_mode"); // keeps the files open, so that the folder can be removed
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
