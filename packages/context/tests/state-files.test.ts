/** The folder `.bridle/context` may have come with a project, or from an earlier Bridle. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { DescriptionStore } from "../src/descriptions/description-store.ts";
import { readChanges } from "../src/files/change-log.ts";
import { StoredResults } from "../src/metrics/results/stored-results.ts";
import { EntryVectors } from "../src/search/entry-vectors.ts";
import { GroupEmbedder } from "../src/search/test-embedder-for-tests.ts";

let file = "";
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-context-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, ".bridle/context"), { recursive: true });
  file = join(folder, ".bridle/context/state.sqlite");
});

function change(sql: string): void {
  using database = openDatabase(file);
  database.exec(sql);
}

function readDescription(): unknown {
  const store = new DescriptionStore(file);
  onTestFinished(() => store.close());
  return store.contentOf("w.main.a");
}

function readListed(): unknown {
  return readChanges(file)[0]?.author;
}

function readVectors(): unknown {
  const vectors = new EntryVectors(new GroupEmbedder([]), file);
  onTestFinished(() => vectors.close());
  using database = openDatabase(file);
  return database.prepare("SELECT count(*) AS number FROM vectors").get()?.number;
}

function readResult(): unknown {
  const results = new StoredResults(file);
  onTestFinished(() => results.close());
  return results.get("key", "state")?.value;
}

/** The statements of Bridle before formats had numbers, character by character. */
const earlier = [
  [
    "descriptions",
    readDescription,
    "1",
    `CREATE TABLE IF NOT EXISTS descriptions (id TEXT PRIMARY KEY, content TEXT NOT NULL, texts TEXT NOT NULL) STRICT;
     INSERT INTO descriptions VALUES ('w.main.a', '1', '[]')`,
  ],
  [
    "changes",
    readListed,
    "ada",
    `CREATE TABLE IF NOT EXISTS changes (id INTEGER PRIMARY KEY, at TEXT NOT NULL, author TEXT NOT NULL,
  source TEXT NOT NULL, reason TEXT, file TEXT NOT NULL, subject TEXT NOT NULL, kind TEXT NOT NULL, before TEXT,
  after TEXT NOT NULL, commit_id TEXT) STRICT;
     INSERT INTO changes VALUES (1, '2026', 'ada', 'person', NULL, 'f', 's', 'k', NULL, '1', NULL)`,
  ],
  [
    "vectors",
    readVectors,
    1,
    `CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL) STRICT;
     INSERT INTO vectors VALUES ('k', x'00')`,
  ],
] as const;

test.each(earlier)("%s of an earlier Bridle, whose files had no number, are read", (_name, read, expected, sql) => {
  change(sql);
  expect(read()).toBe(expected);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o077).toBe(0);
});

test.each(earlier)(
  "%s in a file with a trigger are refused, and the file stays as it is",
  (name, read, _content, sql) => {
    change(`${sql}; CREATE TRIGGER t AFTER INSERT ON ${name} BEGIN DELETE FROM ${name}; END`);
    const before = readFileSync(file);
    expect(read).toThrow(`${file} has tables or triggers that are not Bridle's, so it is not used.`);
    expect(readFileSync(file).equals(before)).toBe(true);
  },
);

test("results of an earlier Bridle, whose files had no number, are read", () => {
  const results = new StoredResults(file);
  results.set("key", "state", 1);
  results.close();
  change("PRAGMA user_version = 0");
  expect(readResult()).toBe(1);
});

test("results of a newer Bridle stay in their file, and others stay in memory", () => {
  change("CREATE TABLE newer (a TEXT); PRAGMA user_version = 9");
  expect(readResult()).toBeUndefined();
  using database = openDatabase(file);
  expect(database.prepare("SELECT name FROM sqlite_master").all()).toEqual([{ name: "newer" }]);
});
