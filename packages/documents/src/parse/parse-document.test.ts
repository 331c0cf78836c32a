import { describe, expect, test } from "vitest";
import type { Block } from "./block.ts";
import { parseDocument } from "./parse-document.ts";

const parse = (name: string, text: string) => parseDocument({ name, bytes: new TextEncoder().encode(text) });
const textsOf = (blocks: readonly Block[]) => blocks.map(({ kind, text }) => `${kind}: ${text}`);

describe("a page in HTML", () => {
  test("is read as it is displayed: headings, paragraphs, lists, tables and code, even if nested", async () => {
    const html = `<title>Shop</title><script>alert(1)</script><main>Free <b>text</b><a href="#"><h2>Linked</h2></a>
      <ul><li>one<ul><li>deep</li></ul></li><li><p>two</p><p>more</p></li></ul>
      <table><caption>Prices</caption><tr><th>item</th><th>price</th></tr><tr><td>pen</td><td>1 <i>EUR</i></td></tr></table>
      <pre>a  b\n  c</pre><p>line<br>break &amp; caf&eacute;</p></main>`;
    expect(textsOf(await parse("a.html", html))).toEqual([
      "heading: Shop",
      "paragraph: Free text",
      "heading: Linked",
      "list: - one\n  - deep\n- two\n  more",
      "table: Prices\nitem | price\npen | 1 EUR",
      "code: a  b\n  c",
      "paragraph: line\nbreak & café",
    ]);
  });
});

describe("a table as text", () => {
  test("becomes records with names; separators are detected, quoted cells may span lines, rows may be longer than the head", async () => {
    const blocks = await parse("a.csv", '\ufeffid;note\n1;"two\nlines"\n2;x;extra\n');
    expect(blocks).toEqual([
      { kind: "record", text: "id: 1\nnote: two\nlines", lines: { from: 2, to: 3 } },
      { kind: "record", text: "id: 2\nnote: x\nextra", lines: { from: 4, to: 4 } },
    ]);
  });
});

describe("front matter", () => {
  test("becomes metadata, and the line numbers after it are those of the file", async () => {
    expect(await parse("a.md", "---\ntitle: Returns\n---\n# Head\n\nText.")).toMatchObject([
      { text: "title: Returns", lines: { from: 2, to: 2 } },
      { text: "# Head", lines: { from: 4, to: 4 } },
      { text: "Text.", lines: { from: 6, to: 6 } },
    ]);
  });
});

describe("a file that cannot be read is an error with its name and a remedy", () => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ["a.txt", new Uint8Array([0xc3, 0, 1, 2, 3]), "a.txt is neither UTF-8 nor UTF-16 text. Save it as UTF-8."],
    ["a.pdf", new TextEncoder().encode("%PDF-1.7 and no more"), "a.pdf cannot be read as a PDF"],
    ["a.docx", new TextEncoder().encode("PK no zip"), "a.docx cannot be read as a Word document"],
    ["a.json", new TextEncoder().encode('{"a": '), "a.json is not valid JSON (line 1, column 7). Correct it."],
    ["a.jsonl", new TextEncoder().encode('{"a": 1}\n{"a"'), "a.jsonl is not valid JSON in line 2. Correct it."],
    ["a.csv", new TextEncoder().encode('id\n"open'), "a.csv cannot be read as a table: "],
    ["a.exe", new Uint8Array(), "a.exe has an unsupported format. Supported: .md, "],
  ];
  test.each(cases)("%s", async (name, bytes, message) => {
    await expect(parseDocument({ name, bytes })).rejects.toThrow(message);
    await expect(parseDocument({ name, bytes })).rejects.toMatchObject({ name: "DocumentError", file: name });
  });

  test("a page in the encoding that it declares is read, and a page that declares an unknown one in the one that fits", async () => {
    const page = (charset: string) =>
      Buffer.from(
        `<html><head><meta http-equiv="Content-Type" content="text/html; charset=${charset}"></head><p>Gr\u00fc\u00dfe</p></html>`,
        "latin1",
      );
    expect(await parseDocument({ name: "a.html", bytes: page("windows-1252") })).toMatchObject([{ text: "Grüße" }]);
    expect(await parseDocument({ name: "a.html", bytes: page("klingon") })).toMatchObject([{ text: "Grüße" }]);
  });

  test("the navigation of a page is left out", async () => {
    const html = "<nav><ul><li><a href='/'>Home</a></li></ul></nav><main><h1>Returns</h1><p>Within 30 days.</p></main>";
    const bytes = new TextEncoder().encode(html);
    expect((await parseDocument({ name: "a.html", bytes })).map(({ text }) => text)).toEqual([
      "Returns",
      "Within 30 days.",
    ]);
  });

  test("a file in UTF-16 with its byte order mark is read", async () => {
    const bytes = new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from([0x3a9, 0x20, 0x41]).buffer)]);
    expect(await parseDocument({ name: "a.txt", bytes })).toMatchObject([{ text: "Ω A" }]);
  });
});
