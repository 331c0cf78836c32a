import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { TableName } from "../../port/structure.ts";
import { readFileHeader } from "./process/open-database.ts";

/** A mark of the whole file for each table: SQLite counts changes of a file, and not of its tables. */
export function readMarks(
  _database: DatabaseSync,
  file: string,
  tables: readonly TableName[],
): readonly (string | undefined)[] {
  const mark = markOfFile(file);
  return tables.map(() => mark);
}

/** Differs after each transaction that wrote: the counter in the header, or the log that was written instead. */
function markOfFile(file: string): string {
  const main = statSync(file, { bigint: true });
  const log = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false });
  const logMark = log === undefined || log.size === 0n ? "" : `, log ${log.size} ${log.mtimeNs}`;
  return `file ${readFileHeader(file).readUInt32BE(24)} ${main.size} ${main.mtimeNs}${logMark}`;
}
