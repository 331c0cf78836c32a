/** Runs statements on a SQLite file without any protection, to show that the refused statements really have effects. */
import { copyFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Whether the statement changes a copy of the file, its folder, or the connection that runs it. */
export function hasUnguardedEffect(file: string, folder: string, sql: string): boolean {
  const place = (name: string) => join(folder, name);
  for (const name of readdirSync(folder)) rmSync(place(name));
  copyFileSync(file, place("copy.db"));
  const database = new DatabaseSync(place("copy.db"));
  try {
    const before = stateOf(database, folder);
    try {
      database.exec(sql.replaceAll("/tmp/bridle-effect", place("effect")));
    } catch {
      return stateOf(database, folder) !== before;
    }
    return stateOf(database, folder) !== before;
  } finally {
    database.close();
  }
}

const pragmas = ["database_list", "journal_mode", "query_only", "trusted_schema", "writable_schema", "user_version"];

function stateOf(database: DatabaseSync, folder: string): string {
  const read = (sql: string) => JSON.stringify(database.prepare(sql).all());
  const temporary = read("SELECT * FROM sqlite_temp_master"); // the first read of this table adds a database to the list
  const settings = [...pragmas, "application_id"].map((name) => read(`PRAGMA ${name}`));
  const files = readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name)).toString("base64")}`);
  return [database.isTransaction, temporary, ...settings, ...files].join("\n");
}
