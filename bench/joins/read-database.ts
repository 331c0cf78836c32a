import { DatabaseSync } from "node:sqlite";
import type { JoinChecks, TableProfile } from "../../packages/context/src/joins/profile.ts";
import { checkRows, profileRows, type TableRows } from "../../packages/context/src/joins/profile-rows.ts";

export interface ReadDatabase {
  readonly tables: readonly TableProfile[];
  readonly checks: JoinChecks;
  /** Returns the number of questions that the checks have answered. */
  countQueries(): number;
}

/** Reads all tables of a SQLite file. */
export function readTables(file: string): readonly TableRows[] {
  using database = new DatabaseSync(file, { readOnly: true });
  const listed = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return listed.map(({ name }) => readTable(database, String(name)));
}

/** Profiles tables, and answers exact questions about them from memory. */
export function profileTables(tables: readonly TableRows[]): ReadDatabase {
  const exact = checkRows(tables);
  let queries = 0;
  const checks: JoinChecks = {
    countTuples(table, sets) {
      queries++;
      return exact.countTuples(table, sets);
    },
    countOrphans(child, parent) {
      queries++;
      return exact.countOrphans(child, parent);
    },
  };
  return { tables: tables.map(profileRows), checks, countQueries: () => queries };
}

function readTable(database: DatabaseSync, name: string): TableRows {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const statement = database.prepare(`SELECT * FROM ${quoted}`);
  statement.setReadBigInts(true);
  const columns = database
    .prepare(`PRAGMA table_info(${quoted})`)
    .all()
    .map((column) => ({ name: String(column.name), type: String(column.type) }));
  const rows = statement.all().map((row) => columns.map((column) => row[column.name]));
  return { id: name, name, columns, rows };
}
