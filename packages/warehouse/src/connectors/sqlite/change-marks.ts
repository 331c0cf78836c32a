import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { lowerAscii } from "@bridle/sql";
import { z } from "zod";
import type { TableName } from "../../port/structure.ts";
import { readFileHeader } from "./process/open-database.ts";

/**
 * The maximum size in bytes of a file whose pages are read. A larger file has one marker for all tables, because reading its pages would
 * take more than a few seconds.
 */
const maxHashedBytes = 500_000_000;

const schemaRow = z.tuple([z.string(), z.string(), z.string(), z.bigint().nullable()]);
const pageRow = z.tuple([z.bigint(), z.bigint()]);

/**
 * Returns a change marker for each table. SQLite counts changes only for a whole file, so the marker of a table is a digest of its pages.
 * For views and virtual tables, and in large files and files with changes in a separate log, the file's marker is used.
 */
export function readMarks(
  database: DatabaseSync,
  file: string,
  tables: readonly TableName[],
): readonly (string | undefined)[] {
  const rows = z
    .array(schemaRow)
    .parse(
      database
        .prepare("SELECT name, type, ifnull(sql, ''), rootpage FROM sqlite_schema WHERE type IN ('table', 'view')")
        .all(),
    );
  const found = new Map(rows.map((row) => [lowerAscii(row[0]), row]));
  const markOfFile = describeFile(file);
  const pages = hasOwnPages(file) ? new PageDigests(database, file) : undefined;
  try {
    return tables.map(({ table }) => {
      const [name, , sql, root] = found.get(lowerAscii(table)) ?? [];
      if (name === undefined || sql === undefined) return undefined;
      return pages === undefined || !root ? markOfFile : `pages ${pages.digest(name, sql)}`;
    });
  } finally {
    pages?.close();
  }
}

/** Returns a string that differs after each transaction that wrote: the change counter in the header, or the state of the log. */
function describeFile(file: string): string {
  const main = statSync(file, { bigint: true });
  const log = sizeOfLog(file) === 0n ? "" : `, log ${statSync(`${file}-wal`, { bigint: true }).mtimeNs}`;
  return `file ${readFileHeader(file).readUInt32BE(24)} ${main.size} ${main.mtimeNs}${log}`;
}

function hasOwnPages(file: string): boolean {
  return sizeOfLog(file) === 0n && statSync(file).size <= maxHashedBytes;
}

function sizeOfLog(file: string): bigint {
  return statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false })?.size ?? 0n;
}

/** Reads the pages of tables from the file. */
class PageDigests {
  readonly #database: DatabaseSync;
  readonly #handle: number;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#handle = openSync(file, "r");
  }

  /** Returns a digest of all pages of the table, without its indexes. */
  digest(table: string, sql: string): string {
    const hash = createHash("sha256").update(sql);
    const places = "SELECT pgoffset, pgsize FROM dbstat WHERE name = ? ORDER BY pageno";
    for (const [offset, size] of z.array(pageRow).parse(this.#database.prepare(places).all(table))) {
      const page = Buffer.alloc(Number(size));
      readSync(this.#handle, page, 0, page.length, Number(offset));
      hash.update(page);
    }
    return hash.digest("hex").slice(0, 32);
  }

  close(): void {
    closeSync(this.#handle);
  }
}
