import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StoredResults } from "./stored-results.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-results-"));
  file = join(folder, ".bridle/context/results.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

function use<Result>(work: (results: StoredResults) => Result, now = new Date(0)): Result {
  const results = new StoredResults(file, () => now);
  try {
    return work(results);
  } finally {
    results.close();
  }
}

test("a result is found by another process for the state that it was stored with, and for no other", () => {
  use((results) => results.set("key", "state", { rows: [[1, null, "a"]] }));
  const value = { value: { rows: [[1, null, "a"]] }, storedAt: "1970-01-01T00:00:00.000Z" };
  expect(use((results) => results.get("key", "state"))).toEqual(value);
  expect(use((results) => results.get("key", "later"))).toBeUndefined();
  expect(use((results) => results.get("other", "state"))).toBeUndefined();
  expect(use((results) => results.last("key"))).toEqual(value);
});

test("a state that is not known stores and finds nothing", () => {
  use((results) => results.set("key", undefined, 1));
  expect(use((results) => [results.get("key", undefined), results.last("key")])).toEqual([undefined, undefined]);
});

test("only the owner may read the file, and it has digests of keys and states", () => {
  use((results) => results.set("SELECT secret-key", "secret-state", 1));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, ".bridle/context")).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, "latin1")).not.toMatch(/secret-(?:key|state)/);
});

test("the newest results stay, as far as they fit, and a very large one is not stored", () => {
  use((results) => {
    results.set("large", "1", "x".repeat(1_000_001));
    for (let at = 0; at < 30; at++) results.set(`wide ${at}`, "1", "x".repeat(900_000));
    for (let at = 0; at < 510; at++) results.set(`small ${at}`, "1", at);
    expect(results.get("large", "1")).toBeUndefined();
    expect(results.get("small 9", "1")).toBeUndefined();
    expect(results.get("small 10", "1")?.value).toBe(10);
  });
  use((results) => {
    for (let at = 0; at < 30; at++) results.set(`wide ${at}`, "1", "x".repeat(900_000));
    expect([7, 8].map((at) => results.get(`wide ${at}`, "1") !== undefined)).toEqual([false, true]);
    expect(results.get("small 500", "1")).toBeUndefined();
  });
});

test("a damaged file and one with other tables are replaced", () => {
  use((results) => results.set("key", "1", 1));
  writeFileSync(file, "no database".repeat(1000));
  expect(use((results) => results.get("key", "1"))).toBeUndefined();
  const database = openDatabase(file);
  database.exec("CREATE TRIGGER other AFTER INSERT ON results BEGIN UPDATE results SET result = '0'; END");
  database.close();
  use((results) => results.set("key", "1", 1));
  expect(use((results) => results.get("key", "1")?.value)).toBe(1);
});

test("a file that cannot be created leaves the results in memory", () => {
  writeFileSync(join(folder, "plain"), "");
  const results = new StoredResults(join(folder, "plain/results.sqlite"));
  results.set("key", "1", 1);
  results.set("key", "1", 2);
  expect(results.get("key", "1")?.value).toBe(2);
  results.close();
});

test("a link in the state is refused", () => {
  use((results) => results.set("key", "1", 1));
  rmSync(file);
  symlinkSync(join(folder, "elsewhere"), file);
  expect(() => use((results) => results.get("key", "1"))).toThrow("is a link");
  expect(existsSync(join(folder, "elsewhere"))).toBe(false);
});
