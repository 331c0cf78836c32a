import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { isSqliteDamage, readSqliteCode, sqliteCodes, useWriteAheadLog } from "./sqlite-files.ts";

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "a.db");
}

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("The work did not fail.");
}

test("a file that is no database is damaged", () => {
  const file = temporaryFile();
  writeFileSync(file, "no database ".repeat(100));
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  const failure = failureOf(() => database.prepare("SELECT * FROM sqlite_master").all());
  expect(readSqliteCode(failure)).toBe(sqliteCodes.notADatabase);
  expect(isSqliteDamage(failure)).toBe(true);
});

test("an error that is not SQLite's has no result code", () => {
  expect(readSqliteCode(new Error("11"))).toBeUndefined();
  expect(isSqliteDamage("corrupt")).toBe(false);
});

test("the write-ahead log is used even if the file is busy for a moment", () => {
  const database = new DatabaseSync(temporaryFile());
  onTestFinished(() => database.close());
  let attempts = 0;
  const busyOnce = {
    exec(sql: string) {
      attempts += 1;
      if (attempts === 1) throw Object.assign(new Error("database is locked"), { errcode: sqliteCodes.busy });
      database.exec(sql);
    },
  };
  useWriteAheadLog(busyOnce);
  expect(attempts).toBe(2);
  expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
});
