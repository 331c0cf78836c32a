import { Document, HeadingLevel, Packer, Paragraph } from "docx";
import fc from "fast-check";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { type Chunk, chunkDocument, parseDocument } from "../src/index.ts";
import { generatedDocument, toHtml, toMarkdown, wordsOf } from "./generated-documents.ts";
import { excelWorkbook, powerPoint, row, shape } from "./office-files.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const letters = (text: string) => text.replaceAll(/\s/gu, "");

async function chunksOf(name: string, bytes: Uint8Array, maxTokens = 200): Promise<readonly Chunk[]> {
  return chunkDocument(await parseDocument({ name, bytes }), { maxTokens });
}

/** Returns the first word that the chunks do not contain in order. A chunk may contain more text, such as a repeated table header. */
function firstLost(words: readonly string[], chunks: readonly Chunk[]): string | undefined {
  const all = letters(chunks.map(({ text }) => text).join(""));
  let from = 0;
  for (const word of words) {
    const found = all.indexOf(letters(word), from);
    if (found < 0) return word;
    from = found + letters(word).length;
  }
  return undefined;
}

describe("no text is lost", () => {
  test("of 200 generated documents in Markdown: their chunks hold every character but white space, in order", async () => {
    await fc.assert(
      fc.asyncProperty(generatedDocument, fc.integer({ min: 20, max: 400 }), async (document, maxTokens) => {
        const source = toMarkdown(document);
        const chunks = await chunksOf("a.md", bytesOf(source), maxTokens);
        expect(isWithin(letters(source), letters(chunks.map(({ text }) => text).join("")))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("of 200 generated pages in HTML, and hidden content is not taken for text", async () => {
    await fc.assert(
      fc.asyncProperty(generatedDocument, async (document) => {
        const chunks = await chunksOf("a.html", bytesOf(toHtml(document)));
        expect(firstLost(wordsOf(document), chunks)).toBeUndefined();
        expect(chunks.map(({ text }) => text).join()).not.toContain("color: red");
      }),
      { numRuns: 200 },
    );
  });

  test("of any text in any text format", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("a.md", "a.txt"),
        fc.string({ unit: "grapheme", maxLength: 400 }),
        async (name, text) => {
          const chunks = await chunksOf(name, bytesOf(text), 10);
          const shown = name === "a.md" ? text.replaceAll(/[-*_=~\s\0\ufeff]/gu, "") : letters(text);
          const kept = chunks.map((chunk) => chunk.text).join("");
          expect(isWithin(shown, name === "a.md" ? kept : letters(kept))).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("of tables as text and of records: every cell and every value is there, with the name of its column", async () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll(/[\s"]/gu, "x"));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 50 }), async (rows) => {
        const csv = `id,note\n${rows.map((row) => row.map((each) => `"${each}"`).join()).join("\n")}\n`;
        const records = rows.map(([id, note]) => ({ id, note, deep: { more: [note, 7, true, null] } }));
        const lines = records.map((record) => JSON.stringify(record)).join("\n");
        expect(firstLost(rows.flat(), await chunksOf("a.csv", bytesOf(csv)))).toBeUndefined();
        const values = records.flatMap(({ id, note }) => [id, note, note, "7", "true", "null"]);
        expect(firstLost(values, await chunksOf("a.json", bytesOf(JSON.stringify(records))))).toBeUndefined();
        expect(firstLost(values, await chunksOf("a.jsonl", bytesOf(lines)))).toBeUndefined();
      }),
    );
  });

  test("of sheets and slides: every cell, every paragraph and every note is there, in order", async () => {
    const text = fc.string({ unit: "grapheme-ascii", maxLength: 30 }).map((each) => each.replaceAll(/\s/g, ""));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(text, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 40 }),
        async (rows) => {
          const sheets = { a: rows.map((texts, index) => row(index + 1, texts)).join("") };
          expect(firstLost(rows.flat(), await chunksOf("a.xlsx", excelWorkbook({ sheets }), 60))).toBeUndefined();
          const slides = rows.map((texts) => ({ shapes: shape(texts), notes: shape(texts, "body") }));
          const all = rows.flatMap((texts) => [...texts, ...texts]);
          expect(firstLost(all, await chunksOf("a.pptx", powerPoint(slides), 60))).toBeUndefined();
        },
      ),
    );
  });

  test("of a Word document and a PDF, whose parts have their page", async () => {
    const texts = Array.from({ length: 30 }, (_, index) => `Paragraph ${index} about the order A-${1000 + index}.`);
    const [first = "", ...others] = texts;
    const word = await Packer.toBuffer(
      new Document({
        sections: [
          {
            children: [
              new Paragraph({ text: first, heading: HeadingLevel.HEADING_1 }),
              ...others.map((text) => new Paragraph(text)),
            ],
          },
        ],
      }),
    );
    const inWord = await chunksOf("a.docx", word, 100);
    expect(firstLost(texts, inWord)).toBeUndefined();
    expect(inWord[1]).toMatchObject({ headings: [first] });

    const inPdf = await chunksOf("a.pdf", await pdfOf([texts.slice(0, 10), texts.slice(10)]), 100);
    expect(firstLost(texts, inPdf)).toBeUndefined();
    expect(new Set(inPdf.map(({ page }) => page))).toEqual(new Set([1, 2]));
  });
});

/** Whether `whole` contains all characters of `part` in order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    const found = whole.indexOf(character, at);
    if (found < 0) return false;
    at = found + character.length;
  }
  return true;
}

async function pdfOf(pages: readonly (readonly string[])[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = document.addPage();
    for (const [index, line] of lines.entries()) page.drawText(line, { x: 50, y: 750 - index * 30, size: 11, font });
  }
  return document.save();
}
