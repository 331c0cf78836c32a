import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DocumentStore, openSqliteStore } from "../src/index.ts";
import { testDocumentStore } from "./document-store-laws.ts";

let folder = "";
let opened: DocumentStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-documents-"));
});

afterEach(async () => {
  await Promise.all(opened.map((store) => store.close()));
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});

testDocumentStore("an index in SQLite", {
  async open(name) {
    const store = openSqliteStore(join(folder, `${encodeURIComponent(name)}.db`));
    opened.push(store);
    return store;
  },
});

describe("the file of an index", () => {
  const file = () => join(folder, "index.db");

  test("is refused and unchanged if it is not an index", () => {
    writeFileSync(file(), "These are my notes, and no database. ".repeat(40));
    expect(() => openSqliteStore(file())).toThrow(
      /^The index .*index\.db is damaged\. Build it again: bridle documents index --rebuild\.$/,
    );
    expect(readdirSync(folder)).toEqual(["index.db"]);
  });

  test("of a newer Bridle is refused", async () => {
    await openSqliteStore(file()).close();
    const database = new DatabaseSync(file());
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(() => openSqliteStore(file())).toThrow(
      `A newer Bridle wrote ${file()}. Update Bridle, or remove the file and build the index again.`,
    );
  });

  test("of a Bridle that stored no stamps is used as it is", async () => {
    const before = openSqliteStore(file());
    const chunks = [{ text: "apple", headings: [] }];
    await before.replace({ name: "a", hash: "h", chunks, termsOf: ({ text }) => [text] });
    await before.close();
    const database = new DatabaseSync(file());
    database.exec("DROP TABLE stamps; DROP TABLE warnings; DROP TABLE left_out; PRAGMA user_version = 1");
    database.close();
    const store = openSqliteStore(file());
    opened.push(store);
    await store.mark([{ name: "a", hash: "h", stamp: "1" }]);
    expect(await store.stamps()).toEqual([{ name: "a", hash: "h", stamp: "1" }]);
    expect(await store.byTerms(["apple"], 1)).toHaveLength(1);
  });

  test("is an error if its folder cannot be created", () => {
    writeFileSync(join(folder, "taken"), "");
    expect(() => openSqliteStore(join(folder, "taken/index.db"))).toThrow(/cannot be used: (EEXIST|ENOTDIR)/);
  });
});
