import type { DocumentsStatus } from "@bridle/app/documents";
import { expect, test } from "vitest";
import { formatIndexStatus } from "./format-documents.ts";

const status = (index: Partial<NonNullable<DocumentsStatus["index"]>>): DocumentsStatus => ({
  ...{ tool: "handbook", location: "i.db", mode: "keyword" },
  index: { files: 0, chunks: 0, failed: [], skipped: [], warnings: [], ...index },
});

test("an index that a run created without a search is not indexed yet", () => {
  expect(formatIndexStatus(status({}))).toMatch(/^handbook \(keyword\): not indexed yet\./);
});

test("an index in which every file was left out lists the reasons", () => {
  const text = formatIndexStatus(status({ skipped: [{ file: "a.png", problem: "a.png is no document." }] }));
  expect(text).toMatch(/^handbook \(keyword\): 0 files, 0 parts \(i\.db\)\n.*a\.png/s);
});
