import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  createPrivateFolder,
  makePrivate,
  openDatabase,
  refuseLinks,
  secureSqlite,
  sqliteBusyMs,
  useWriteAheadLog,
} from "@bridle/core";

/** Opens a state file for writing, and creates it if it does not exist. Only the file's owner may read it. Throws SQLite's errors. */
export function openPrivateDatabase(file: string): DatabaseSync {
  createPrivateFolder(dirname(file));
  for (const path of filesOfDatabase(file)) {
    refuseLinks(path);
    makePrivate(path);
  }
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  const database = openDatabase(file);
  try {
    secureSqlite(database);
    database.exec(`PRAGMA busy_timeout = ${sqliteBusyMs}`);
    useWriteAheadLog(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Returns the file, and the files that SQLite creates next to it. */
export function filesOfDatabase(file: string): readonly string[] {
  return ["", "-wal", "-shm", "-journal"].map((end) => file + end);
}
