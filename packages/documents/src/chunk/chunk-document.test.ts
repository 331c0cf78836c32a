import { describe, expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.ts";
import { type ChunkOptions, chunkDocument } from "./chunk-document.ts";
import { estimateTokens } from "./tokens.ts";

async function chunksOf(text: string, options?: ChunkOptions, name = "a.md") {
  return chunkDocument(await parseDocument({ name, bytes: new TextEncoder().encode(text) }), options);
}

describe("a split document", () => {
  test("is split at its headings, and each part has its headings and lines", async () => {
    const text =
      "# Orders\n\nHow we ship.\n\n## Returns ##\n\nWithin 30 days.\n\nFees\n----\n\nNone.\n\n# Contact\n\nBy mail.\n";
    expect(await chunksOf(text)).toEqual([
      { text: "# Orders\n\nHow we ship.", headings: ["Orders"], lines: { from: 1, to: 3 } },
      { text: "## Returns ##\n\nWithin 30 days.", headings: ["Orders", "Returns"], lines: { from: 5, to: 7 } },
      { text: "Fees\n----\n\nNone.", headings: ["Orders", "Fees"], lines: { from: 9, to: 12 } },
      { text: "# Contact\n\nBy mail.", headings: ["Contact"], lines: { from: 14, to: 16 } },
    ]);
  });

  test("has a heading without text in the part that follows it", async () => {
    const [only, ...others] = await chunksOf("# Orders\n\n## Returns\n\nWithin 30 days.");
    expect(only).toMatchObject({ text: "# Orders\n\n## Returns\n\nWithin 30 days.", headings: ["Orders", "Returns"] });
    expect(others).toEqual([]);
  });

  test("has code, lists and tables unsplit if they fit", async () => {
    const code = "```js\nfirst();\n\nsecond();\n```";
    const table = "| id | state |\n| --- | --- |\n| 1 | open |\n| 2 | shipped |";
    const list = "- one\n\n  more of one\n- two";
    const words = "word ".repeat(60).trim();
    const texts = (await chunksOf([words, code, words, table, words, list].join("\n\n"), { maxTokens: 80 })).map(
      ({ text }) => text,
    );
    for (const whole of [code, table, list]) expect(texts.filter((text) => text.includes(whole))).toHaveLength(1);
  });

  test("repeats the head of a long table in each of its parts", async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `| A-${index} | shipped |`).join("\n");
    const chunks = await chunksOf(`| id | state |\n| --- | --- |\n${rows}`, { maxTokens: 100 });
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text } of chunks) expect(text).toMatch(/^\| id \| state \|\n\| --- \| --- \|\n\| A-/);
    expect(chunks[1]?.lines?.from).toBe((chunks[0]?.lines?.to ?? 0) + 1);
  });

  test("has no part longer than the limit, even if a text has no spaces", async () => {
    const text = `${"注文番号を教えてください。".repeat(300)}\n\n${"x".repeat(9000)}`;
    const chunks = await chunksOf(text, { maxTokens: 100 });
    for (const chunk of chunks) expect(estimateTokens(chunk.text)).toBeLessThanOrEqual(100);
    expect(chunks[0]?.text).toMatch(/。$/);
  });

  test("repeats the end of a part at the start of the next if an overlap is configured", async () => {
    const text = Array.from({ length: 20 }, (_, index) => `Paragraph ${index} ${"word ".repeat(20)}`).join("\n\n");
    const [first, second] = await chunksOf(text, { maxTokens: 120, overlapTokens: 40 });
    const last = first?.text.split("\n\n").at(-1) ?? "-";
    expect(second?.text.startsWith(last)).toBe(true);
    const [, plain] = await chunksOf(text, { maxTokens: 120 });
    expect(plain?.text.startsWith(last)).toBe(false);
  });

  test("has no parts if it is empty", async () => {
    expect(await chunksOf("\n \n")).toEqual([]);
    expect(await chunksOf("", {}, "a.csv")).toEqual([]);
    expect(await chunksOf("<html></html>", {}, "a.html")).toEqual([]);
  });
});
