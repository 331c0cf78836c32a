import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Documents, openDocuments, openSqliteStore, type SearchMode } from "../src/index.ts";
import { createConceptEmbedder } from "./labelled/concept-embedder.ts";
import { ndcg } from "./labelled/ndcg.ts";
import { passages, queries } from "./labelled/passages.ts";

let folder = "";
let documents: Documents;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bridle-hybrid-"));
  mkdirSync(join(folder, "docs"));
  for (const [id, text] of Object.entries(passages)) writeFileSync(join(folder, "docs", `${id}.txt`), text);
  documents = openDocuments({
    sources: ["docs"],
    baseDir: folder,
    store: openSqliteStore(join(folder, "index.db")),
    searchMode: "hybrid",
    embedder: createConceptEmbedder(),
  });
  await documents.update();
});

afterAll(async () => {
  await documents.close();
  rmSync(folder, { recursive: true });
});

async function meanNdcg(mode: SearchMode): Promise<number> {
  const all = await Promise.all(
    queries.map(async ({ query, relevant }) => {
      const hits = await documents.search(query, { mode, topK: 10 });
      return ndcg(
        hits.map(({ file }) => basename(file, ".txt")),
        relevant,
        10,
      );
    }),
  );
  return all.reduce((sum, each) => sum + each, 0) / all.length;
}

describe("on 60 passages and 30 labelled queries", () => {
  test("a hybrid search finds better than each of its halves, by nDCG@10", async () => {
    const [keyword, semantic, hybrid] = [
      await meanNdcg("keyword"),
      await meanNdcg("semantic"),
      await meanNdcg("hybrid"),
    ];
    console.log(`nDCG@10: keyword ${keyword.toFixed(3)}, semantic ${semantic.toFixed(3)}, hybrid ${hybrid.toFixed(3)}`);
    expect(hybrid).toBeGreaterThan(keyword);
    expect(hybrid).toBeGreaterThan(semantic);
  });

  test("every label names a passage, and every query has an answer", () => {
    for (const { relevant } of queries) {
      expect(Object.keys(passages)).toEqual(expect.arrayContaining(Object.keys(relevant)));
      expect(Object.values(relevant)).toContain(2);
    }
    expect([Object.keys(passages).length, queries.length]).toEqual([60, 30]);
  });
});

test("nDCG is 1 for the best order, and the numbers of its definition for others", () => {
  expect(ndcg(["a", "b"], { a: 2, b: 1 }, 10)).toBe(1);
  expect(ndcg(["b", "x", "a"], { a: 2, b: 1 }, 10)).toBeCloseTo((1 + 3 / 2) / (3 + 1 / Math.log2(3)), 12);
  expect(ndcg(["x"], { a: 2 }, 10)).toBe(0);
});
