import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { afterAll, expect, test } from "vitest";
import { FactsError } from "../facts/facts-errors.ts";
import { EntryVectors } from "../search/entry-vectors.ts";
import { GroupEmbedder } from "../search/test-embedder-for-tests.ts";
import { DescriptionStore } from "./description-store.ts";

const folder = mkdtempSync(join(tmpdir(), "bridle-descriptions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file with contents that Bridle would not write, and returns the file's path. */
function damaged(name: string): string {
  const file = join(folder, name);
  writeFileSync(file, "no database ".repeat(1000));
  return file;
}

test("damaged files of descriptions and vectors are refused with what to do, and not as a fault of Bridle", () => {
  const remedies: readonly (readonly [open: () => unknown, message: RegExp])[] = [
    [
      () => new DescriptionStore(damaged("descriptions.sqlite")),
      /The descriptions in .* are damaged\. Remove the file, and let the model write them again: bridle context scan --describe\.$/,
    ],
    [
      () => new EntryVectors(new GroupEmbedder([]), damaged("vectors.sqlite")),
      /The vectors in .* are damaged\. Remove the file, and search again\.$/,
    ],
  ];
  for (const [open, message] of remedies) {
    expect(open).toThrow(FactsError);
    expect(open).toThrow(message);
  }
});

test("descriptions that somebody changed into another form are damaged", () => {
  const file = join(folder, "changed.sqlite");
  const store = new DescriptionStore(file);
  store.write([{ id: "w.main.a", content: "1", texts: new Map([["", "All of them."]]) }]);
  expect(store.read("w.main.a")?.get("")).toBe("All of them.");
  using database = openDatabase(file);
  database.exec("UPDATE descriptions SET texts = '{'");
  expect(() => store.read("w.main.a")).toThrow(/are damaged/);
  store.close();
});
