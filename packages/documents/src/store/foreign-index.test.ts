import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { indexFile } from "./sqlite-file.ts";

let folder = "";
let file = "";
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "bridle-index-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  folder = join(root, ".bridle/documents");
  file = join(folder, "handbook.db");
});

test.each([
  ["a trigger", "CREATE TRIGGER more AFTER INSERT ON chunks BEGIN UPDATE chunks SET fields = '{}'; END"],
  ["a view", "CREATE VIEW more AS SELECT * FROM chunks"],
  ["a further table", "CREATE TABLE more (a TEXT)"],
  [
    "a trigger and the version of a new file",
    "CREATE TRIGGER t AFTER INSERT ON files BEGIN SELECT 1; END; PRAGMA user_version = 0",
  ],
])("an index with %s is not opened, and its own tables alone are", (_title, sql) => {
  indexFile.open(file).close();
  const database = indexFile.open(file);
  database.exec(sql);
  database.close();
  expect(() => indexFile.open(file)).toThrow("that are not Bridle's, so it is not used");
});

test("a link in the place of an index or of its folder is not followed", () => {
  mkdirSync(folder, { recursive: true });
  const target = join(folder, "../../outside");
  writeFileSync(target, "");
  symlinkSync(target, file);
  expect(() => indexFile.open(file)).toThrow("is a link");
  rmSync(folder, { recursive: true });
  symlinkSync(tmpdir(), folder);
  expect(() => indexFile.open(file)).toThrow("is a link");
  expect(statSync(target).size).toBe(0);
});

test("an index of a clone is private once it is opened", () => {
  indexFile.open(file).close();
  chmodSync(file, 0o644);
  indexFile.open(file).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
