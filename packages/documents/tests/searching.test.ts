import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Documents, openDocuments, openSqliteStore } from "../src/index.ts";

const texts: Readonly<Record<string, string>> = {
  "returns.md": "# Returns\n\nSend it back within 30 days (see: refunds).",
  "ελληνικά.md": "Η παραγγελία σας στέλνεται τη Δευτέρα.",
  "日本語.md": "返品ポリシー：商品は三十日以内に返品できます。",
  "hebrew.md": "ההזמנה נשלחה ביום שני.",
  "names.md": "Call `find_order_by_id` or orderStatus; the price is 12.50.",
  "german.md": "Die Rücksendung ist kostenlos, naïve Käufer zahlen nichts.",
  "other.md": "Nothing of interest stands here.",
};

let folder = "";
let documents: Documents;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bridle-documents-"));
  mkdirSync(join(folder, "docs"));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, "docs", name), text);
  const store = openSqliteStore(join(folder, "index.db"));
  documents = openDocuments({ sources: ["docs"], baseDir: folder, store, searchMode: "keyword" });
  await documents.update();
});

afterAll(async () => {
  await documents.close();
  rmSync(folder, { recursive: true });
});

describe("a search by words finds", () => {
  test.each([
    ["Greek, without accents and in capitals", "ΠΑΡΑΓΓΕΛΙΑ", "docs/ελληνικά.md"],
    ["Japanese, which has no spaces", "返品できますか", "docs/日本語.md"],
    ["Hebrew", "ההזמנה", "docs/hebrew.md"],
    ["a word beside punctuation", "refunds", "docs/returns.md"],
    ["a query with punctuation", '"refunds?" -- (days)', "docs/returns.md"],
    ["operators of a query language as plain words", "returns AND NOT NEAR(", "docs/returns.md"],
    ["a part of a name in code", "status of an order", "docs/names.md"],
    ["a whole name in code", "find_order_by_id", "docs/names.md"],
    ["a number", "12.50", "docs/names.md"],
    ["letters with and without marks", "rucksendung", "docs/german.md"],
  ])("%s", async (_what, query, file) => {
    expect((await documents.search(query))[0]?.file).toBe(file);
  });

  test("nothing if nothing matches, and refuses an empty query", async () => {
    expect(await documents.search("zebra")).toEqual([]);
    expect(await documents.search("?!")).toEqual([]);
    await expect(documents.search("  ")).rejects.toThrow("The query is empty.");
  });

  test("parts with their source, headings and lines, and with scores that are comparable between queries", async () => {
    expect(await documents.search("refunds")).toMatchObject([
      { file: "docs/returns.md", headings: ["Returns"], lines: { from: 1, to: 3 } },
    ]);
    for (const query of ["refunds", "refunds zebra", "παραγγελία", "nothing of interest stands here"]) {
      for (const { score } of await documents.search(query)) {
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1);
      }
    }
    const [both] = await documents.search("refunds days");
    const [one] = await documents.search("refunds παραγγελία");
    expect(both?.score).toBeGreaterThan(one?.score ?? 1);
    expect(await documents.search("refunds", { minScore: 0.99 })).toEqual([]);
    expect(await documents.search("the", { topK: 1 })).toHaveLength(1);
  });
});
