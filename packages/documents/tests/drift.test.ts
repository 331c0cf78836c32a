import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DocumentStore, findDrift, openDocuments, openSqliteStore } from "../src/index.ts";

const maxBytes = 1000;
let folder = "";
let store: DocumentStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-documents-"));
  mkdirSync(join(folder, "docs"));
  for (const name of ["a.md", "b.md", "c.md"]) write(name, `# ${name}`);
  write("large.md", "word ".repeat(maxBytes));
  write("picture.png", "");
  store = openSqliteStore(join(folder, "index.db"));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, "docs", name), text);
}

async function update(): Promise<void> {
  const documents = openDocuments({
    sources: ["docs"],
    baseDir: folder,
    maxFileBytes: maxBytes,
    searchMode: "keyword",
    store: openSqliteStore(join(folder, "index.db")),
  });
  await documents.update().finally(() => documents.close());
}

const drift = () => findDrift(store, { sources: ["docs"], baseDir: folder, maxFileBytes: maxBytes });

test("an index that was just updated is not behind, whatever the update left out", async () => {
  await update();
  expect(await drift()).toEqual({ added: 0, changed: 0, removed: 0 });
});

test("an index is behind by the files that are new, changed or gone, until the next update", async () => {
  await update();
  write("new.md", "# New");
  write("a.md", "# Another text, at once after the update");
  renameSync(join(folder, "docs/b.md"), join(folder, "b.md"));
  expect(await drift()).toEqual({ added: 1, changed: 1, removed: 1 });
  await update();
  expect(await drift()).toEqual({ added: 0, changed: 0, removed: 0 });
});

test("a file in a folder that cannot be read is not gone", async () => {
  await update();
  rmSync(join(folder, "docs"), { recursive: true });
  expect(await drift()).toEqual({ added: 0, changed: 0, removed: 0 });
});
