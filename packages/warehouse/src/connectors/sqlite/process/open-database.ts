import { createHmac } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { digestFunction } from "../functions.ts";
import type { Authorizer } from "./authorizer.ts";

/** The maximum size of a single string or blob. Functions such as `zeroblob` fail beyond this size. */
const maxValueBytes = 100_000_000;

/** How many milliseconds a statement waits for a writer that has locked the file. */
const busyMs = 2_000;

/** Opens an existing file so that nothing can change it. */
export function openGuardedDatabase(file: string, authorizer: Authorizer): DatabaseSync {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Error("there is no such file");
  if (!found.isFile()) throw new Error(found.isDirectory() ? "it is a folder" : "it is not a regular file");
  if (!("setAuthorizer" in DatabaseSync.prototype)) throw new Error("it needs Node.js 24.10 or newer");
  const database = openFile(file);
  try {
    database.prepare("SELECT count(*) FROM sqlite_schema").get(); // the file is read with the first statement
    prepareDatabase(database);
  } catch (error) {
    database.close();
    throw error;
  }
  database.setAuthorizer(authorizer.authorize);
  return database;
}

function openFile(file: string): DatabaseSync {
  return new DatabaseSync(file, {
    readOnly: true,
    defensive: true,
    allowExtension: false,
    timeout: busyMs,
    returnArrays: true,
    readBigInts: true,
    limits: { length: maxValueBytes, sqlLength: 1_000_000, attach: 0 },
  });
}

/** Returns the first 100 bytes of the file. */
export function readFileHeader(file: string): Buffer {
  const header = Buffer.alloc(100);
  const handle = openSync(file, "r");
  try {
    readSync(handle, header, 0, 100, 0);
  } finally {
    closeSync(handle);
  }
  return header;
}

function prepareDatabase(database: DatabaseSync): void {
  database.exec("PRAGMA query_only = 1");
  database.exec("PRAGMA trusted_schema = 0");
  database.exec("PRAGMA temp_store = memory"); // a runaway sort then fills only the memory of this process, and not the disk
  database.exec("PRAGMA cell_size_check = 1");
  database.function(digestFunction, { deterministic: true, useBigIntArguments: true }, digestOf);
  openVirtualTables(database);
}

/**
 * Opens virtual tables without an authorizer. The authorizer would deny the writing statements that R-trees prepare when they are opened. A
 * schema change closes the tables, so call this again after each one.
 */
export function openVirtualTables(database: DatabaseSync): void {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE 'create virtual%'").all();
  for (const [name] of names as unknown as string[][]) {
    try {
      database.prepare(`SELECT 1 FROM main."${name?.replaceAll('"', '""')}" LIMIT 0`).all();
    } catch {
      // The structure reports a table that cannot be opened as a problem.
    }
  }
}

/** Returns a keyed digest that is equal for values that SQLite compares as equal, such as 1 and 1.0. */
function digestOf(value: SQLOutputValue, key: SQLOutputValue): string | null {
  if (value === null) return null;
  const hash = createHmac("sha256", String(key));
  if (value instanceof Uint8Array) hash.update("b").update(value);
  else if (typeof value === "string") hash.update("t").update(value);
  else hash.update("n").update(Number.isInteger(Number(value)) ? String(BigInt(value)) : String(value));
  return hash.digest("hex").slice(0, 32);
}
