import { DatabaseSync } from "node:sqlite";
import type { TableRows } from "../../packages/context/src/joins/profile-rows.ts";

/** Writes tables to a new SQLite file, without declaring keys. */
export function writeSqlite(file: string, tables: readonly TableRows[]): void {
  using database = new DatabaseSync(file);
  database.exec("BEGIN");
  for (const { name, columns, rows } of tables) {
    database.exec(
      `CREATE TABLE ${quote(name)} (${columns.map((each) => `${quote(each.name)} ${each.type}`).join(", ")})`,
    );
    const insert = database.prepare(`INSERT INTO ${quote(name)} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...row.map(toSqlite));
  }
  database.exec("COMMIT");
}

function toSqlite(value: unknown): string | number | bigint | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  return value === null || value === undefined ? null : String(value);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
