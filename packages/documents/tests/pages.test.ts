import { PDFDocument, StandardFonts } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { type Chunk, chunkDocument, parseDocument } from "../src/index.ts";

/** Creates a PDF with these texts on its pages; "" for a page without text. */
async function pdfOf(pages: readonly string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of pages) {
    const page = document.addPage();
    for (const [index, line] of text.split("\n").entries())
      if (line !== "") page.drawText(line, { x: 50, y: 800 - index * 20, size: 10, font });
  }
  return document.save();
}

/** Creates lines that name their page. */
const linesOf = (page: number, count: number) =>
  Array.from({ length: count }, (_, line) => `Line ${line} of sheet ${page}.`).join("\n");

const namedPages = ({ text }: Chunk) => Array.from(text.matchAll(/sheet (\d+)/g), ([, page]) => Number(page));

async function passagesOf(pages: readonly string[], maxTokens: number, overlapTokens = 0): Promise<readonly Chunk[]> {
  const blocks = await parseDocument({ name: "a.pdf", bytes: await pdfOf(pages) });
  return chunkDocument(blocks, { maxTokens, overlapTokens });
}

describe("a passage of a PDF has the page on which it begins, and the one on which it ends if that is another", () => {
  const pages = [linesOf(1, 3), linesOf(2, 30), "", linesOf(4, 1), linesOf(5, 1), linesOf(6, 12)];
  test.each([
    ["short passages", 40, 0],
    ["passages of several pages", 120, 0],
    ["one passage", 4000, 0],
    ["passages that overlap", 60, 30],
  ])("%s", async (_title, maxTokens, overlapTokens) => {
    const passages = await passagesOf(pages, maxTokens, overlapTokens);
    expect(passages.flatMap(namedPages)).toEqual(expect.arrayContaining([1, 2, 4, 5, 6]));
    for (const passage of passages) {
      const named = namedPages(passage);
      const [first, last] = [Math.min(...named), Math.max(...named)];
      expect([passage.page, passage.lastPage]).toEqual([first, last === first ? undefined : last]);
    }
  });

  test("such as a passage from page 1 to page 6, beside one of page 2 only", async () => {
    expect(await passagesOf(pages, 4000)).toMatchObject([{ page: 1, lastPage: 6 }]);
    expect((await passagesOf(pages, 60)).map(({ page, lastPage }) => [page, lastPage])).toContainEqual([2, undefined]);
  });
});
