import type { DocumentsStatus } from "@bridle/app/documents";
import { expect, test } from "vitest";
import { formatIndexStatus } from "./format-documents.ts";

const status = (index: Partial<NonNullable<DocumentsStatus["index"]>>): DocumentsStatus => ({
  tool: "handbook",
  location: "i.db",
  mode: "keyword",
  index: {
    files: 0,
    chunks: 0,
    failed: [],
    skipped: [],
    warnings: [],
    behind: { added: 0, changed: 0, removed: 0 },
    ...index,
  },
});

test("an index that a run created without a search is not indexed yet", () => {
  expect(formatIndexStatus(status({}))).toMatch(/^handbook \(keyword\): not indexed yet\./);
});

test("an index in which every file was left out lists the reasons", () => {
  const text = formatIndexStatus(status({ skipped: [{ file: "a.png", problem: "a.png is no document." }] }));
  expect(text).toMatch(/^handbook \(keyword\): 0 files, 0 parts \(i\.db\)\n.*a\.png/s);
});

test("an index that is behind its files says by how many, and what updates it", () => {
  const behind = { added: 2, changed: 1, removed: 0 };
  expect(formatIndexStatus(status({ files: 3, chunks: 9, behind }))).toContain(
    '  behind   2 files added, 1 file changed since: "bridle documents index" or the next search updates it.',
  );
});
