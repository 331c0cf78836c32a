import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingMarkdown, type MarkdownBlocks, parseMarkdown } from "./parse-markdown.ts";

const signs = ["# ", "- ", "1. ", "> ", "```", "~~~", "|", "---", "===", "    ", "<div>", "<!--", "-->", "*", "`", "["];
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("\n", "\n\n", "word ", "a", "b|c", "\t") },
  { weight: 2, arbitrary: fc.constantFrom(...signs, "]", "]: x", "</div>", "|---|---|", "[^1]", "https://a.example ") },
);

/** Removes positions in the text, because they are not rendered. */
function withoutPlaces(blocks: MarkdownBlocks): unknown {
  return JSON.parse(JSON.stringify(blocks ?? null, (name, value) => (name === "position" ? undefined : value)));
}

test("a text that grows has the blocks of the whole text, wherever it is cut", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const growing = new GrowingMarkdown();
      let text = "";
      for (const each of pieces) {
        text += each;
        expect(withoutPlaces(growing.parse(text))).toEqual(withoutPlaces(parseMarkdown(text)));
      }
    }),
    { numRuns: 200 },
  );
});

test("the blocks before the end of a text that grows stay the same objects", () => {
  const growing = new GrowingMarkdown();
  const before = growing.parse("# One\n\ntwo\n\nthree\n\nfo") ?? [];
  const after = growing.parse("# One\n\ntwo\n\nthree\n\nfour\n\nfive") ?? [];
  expect(after).toHaveLength(5);
  expect(after.slice(0, 2).every((block, index) => block === before[index])).toBe(true);
});

test("another text has nothing of the one before", () => {
  const growing = new GrowingMarkdown();
  growing.parse("one\n\ntwo\n\nthree");
  expect(withoutPlaces(growing.parse("four\n\nfive"))).toEqual(withoutPlaces(parseMarkdown("four\n\nfive")));
});
