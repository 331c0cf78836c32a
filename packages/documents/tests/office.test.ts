import { describe, expect, test } from "vitest";
import { type Block, chunkDocument, parseDocument } from "../src/index.ts";
import {
  excelWorkbook,
  officeFile,
  powerPoint,
  row,
  shape,
  textParagraph,
  type WorkbookParts,
} from "./office-files.ts";

interface Read {
  readonly blocks: readonly Block[];
  readonly warnings: readonly string[];
}

async function read(name: string, bytes: Uint8Array): Promise<Read> {
  const warnings: string[] = [];
  const blocks = await parseDocument({ name, bytes }, {}, (problem) => warnings.push(problem));
  return { blocks, warnings };
}

const sheet = async (data: string, more: Omit<WorkbookParts, "sheets"> = {}) =>
  (await read("a.xlsx", excelWorkbook({ sheets: { Prices: data }, ...more }))).blocks;

describe("an Excel workbook", () => {
  test("is its sheets in their order: the name as a heading, and a table with its rows and its header", async () => {
    const sheets = {
      Prices: `${row(1, ["Price list"])}${row(2, ["item", "price"])}${row(3, ["pen", "1"])}${row(6, ["a\nnote"])}`,
      Empty: "",
      Stock: row(4, ["desk", "7"]),
    };
    expect((await read("a.xlsx", excelWorkbook({ sheets }))).blocks).toEqual([
      { kind: "heading", depth: 1, text: "Prices" },
      {
        kind: "table",
        text: "Price list\nitem | price\npen | 1",
        lines: { from: 1, to: 3 },
        head: "Price list\nitem | price",
      },
      { kind: "table", text: "a note", lines: { from: 6, to: 6 } },
      { kind: "heading", depth: 1, text: "Stock" },
      { kind: "table", text: "desk | 7", lines: { from: 4, to: 4 } },
    ]);
  });

  test("has the header and the right rows in each part of a long table", async () => {
    const rows = Array.from({ length: 200 }, (_, index) => row(index + 2, [`A-${index + 2}`, "shipped"]));
    const chunks = chunkDocument(await sheet(`${row(1, ["id", "state"])}${rows.join("")}`), { maxTokens: 100 });
    expect(chunks.length).toBeGreaterThan(5);
    for (const { text, headings, lines } of chunks.slice(1)) {
      expect([headings, text.split("\n")[0]]).toEqual([["Prices"], "id | state"]);
      expect(text.split("\n")[1]).toBe(`A-${lines?.from} | shipped`);
      expect(text.trim().split("\n").at(-1)).toBe(`A-${lines?.to} | shipped`);
    }
  });

  test("has texts as they are displayed: rich and shared ones without phonetic hints, results of formulas, truth values", async () => {
    const strings = [
      "<t>Desk &amp; chair</t>",
      "<r><t>rich </t></r><r><t>text</t></r>",
      '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>',
    ];
    const cells = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>
      <row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2" t="str"><f>A1&amp;"!"</f><v>Desk!</v></c><c r="C2"><f>SUM(D1:D9)</f></c></row>
      <row r="3"><c r="A3" t="e"><v>#N/A</v></c><c r="C3"><v>0.30000000000000004</v></c></row>`;
    expect((await sheet(cells, { strings }))[1]?.text).toBe(
      "Desk & chair | rich text | 東京\nTRUE | Desk! | =SUM(D1:D9)\n#N/A |  | 0.3",
    );
  });

  test.each([
    ["14", "45717", "2025-03-01"],
    ["14", "59", "1900-02-28"],
    ["22", "45717.5625", "2025-03-01 13:30:00"],
    ["20", "0.75", "18:00:00"],
    ["164", "45717.25", "2025-03-01"],
    ["165", "1.5", "36:00:00"],
    ["166", "45717.25", "45717.25"],
    ["10", "0.195", "19.5%"],
    ["0", "45717", "45717"],
    ["14", "-1", "-1"],
    ["14", "99999999", "99999999"],
  ])("displays a number with the format %s as a reader sees it: %s as %s", async (format, value, shown) => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="[$-407]dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="[h]:mm"/><numFmt numFmtId="166" formatCode="[Red]0.00&quot; days&quot;"/></numFmts>
      <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="${format}"/></cellXfs>`;
    const cells = `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`;
    expect((await sheet(cells, { styles }))[1]?.text).toBe(shown);
  });

  test("counts days from 1904 if it says so", async () => {
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>';
    const cells = '<row r="1"><c r="A1"><v>44255</v></c></row>';
    expect((await sheet(cells, { styles, properties: 'date1904="1"' }))[1]?.text).toBe("2025-03-01");
  });

  test("is read without references of rows and cells, and wrong ones do not make it larger", async () => {
    const cells = `<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>
      <row r="99999999999"><c r="ZZZ1" t="str"><v>c</v></c></row><row r="9"><c r="A9" t="str"><v>d</v></c><c r="XFD9" t="str"><v>e</v></c></row>`;
    expect(await sheet(cells)).toMatchObject([
      { text: "Prices" },
      { text: "a | b\nc", lines: { from: 1, to: 2 } },
      { text: "d | e", lines: { from: 9, to: 9 } },
    ]);
  });

  test("is read without its hidden sheets, which a warning names", async () => {
    const sheets = { Prices: row(1, ["pen"]), Lists: row(1, ["secret"]) };
    const { blocks, warnings } = await read("a.xlsx", excelWorkbook({ sheets, hidden: ["Lists"] }));
    expect(blocks.map(({ text }) => text)).toEqual(["Prices", "pen"]);
    expect(warnings).toEqual(["has hidden sheets, which are left out: Lists."]);
  });
});

describe("a PowerPoint presentation", () => {
  test("is its slides in their order: the title as a heading, then texts, tables, pictures, diagrams and notes", async () => {
    const table = `<p:graphicFrame><a:tbl>${[
      ["id", "state"],
      ["1", "open"],
    ]
      .map(
        (cells) =>
          `<a:tr>${cells.map((text) => `<a:tc><a:txBody>${textParagraph(text)}</a:txBody></a:tc>`).join("")}</a:tr>`,
      )
      .join("")}</a:tbl></p:graphicFrame>`;
    const list = `<p:sp><p:txBody>${textParagraph("Within 30 days")}<a:p><a:pPr lvl="1"/><a:r><a:t>un</a:t></a:r><a:r><a:t>opened</a:t></a:r><a:br/><a:r><a:t>only</a:t></a:r></a:p></p:txBody></p:sp>`;
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3" descr="A parcel"/></p:nvPicPr></p:pic>';
    const twice = `<mc:AlternateContent><mc:Choice>${shape(["once"])}</mc:Choice><mc:Fallback>${shape(["twice"])}</mc:Fallback></mc:AlternateContent>`;
    const { blocks } = await read(
      "a.pptx",
      powerPoint([
        {
          shapes: `${list}${shape(["Returns", "and fees"], "title")}${table}${picture}${twice}${shape(["7"], "sldNum")}`,
          notes: `${shape(["1"], "sldNum")}${shape(["Say hello.", "Wait."], "body")}`,
          diagram: textParagraph("send") + textParagraph("check"),
        },
        { shapes: shape(["no title"]) },
      ]),
    );
    expect(blocks).toEqual([
      { kind: "heading", depth: 1, text: "Returns and fees", page: 1 },
      { kind: "paragraph", text: "Within 30 days\n  unopened\nonly", page: 1 },
      { kind: "table", text: "id | state\n1 | open", page: 1 },
      { kind: "paragraph", text: "A parcel", page: 1 },
      { kind: "paragraph", text: "once", page: 1 },
      { kind: "paragraph", text: "send\ncheck", page: 1 },
      { kind: "paragraph", text: "Notes: Say hello.\nWait.", page: 1 },
      { kind: "heading", depth: 1, text: "Slide 2", page: 2 },
      { kind: "paragraph", text: "no title", page: 2 },
    ]);
  });

  test("is read without its hidden slides, which a warning names, and the others keep their numbers", async () => {
    const slides = [
      { shapes: shape(["one"]) },
      { shapes: shape(["two"]), isHidden: true },
      { shapes: shape(["three"]) },
    ];
    const { blocks, warnings } = await read("a.pptx", powerPoint(slides));
    expect(blocks.map(({ text, page }) => [text, page])).toEqual([
      ["Slide 1", 1],
      ["one", 1],
      ["Slide 3", 3],
      ["three", 3],
    ]);
    expect(warnings).toEqual(["has hidden slides, which are left out: 2."]);
  });
});

describe("an Office document that cannot be read is an error with its name and a remedy", () => {
  const compound = (text: string) =>
    Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from(text, "utf16le")]);
  const entities = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb">]><workbook>&b;</workbook>';
  test.each<[name: string, bytes: Uint8Array, message: string]>([
    ["a.xlsx", Buffer.from("PK no zip"), "a.xlsx cannot be read as an Excel workbook. Save it again as .xlsx."],
    ["a.pptx", Buffer.from("PK no zip"), "a.pptx cannot be read as a PowerPoint presentation. Save it again as .pptx."],
    [
      "a.xlsx",
      officeFile("xl/workbook.xml", { "xl/workbook.xml": entities }),
      "a.xlsx cannot be read as an Excel workbook.",
    ],
    ["a.xlsx", officeFile("xl/workbook.xml", {}), "a.xlsx cannot be read as an Excel workbook."],
    ["a.xlsx", compound("EncryptedPackage"), "a.xlsx is protected by a password. Save it without one."],
    ["a.docx", compound("EncryptedPackage"), "a.docx is protected by a password. Save it without one."],
    ["a.pptx", compound("other"), "a.pptx has a format of Office before 2007. Save it again as .pptx."],
  ])("%s", async (name, bytes, message) => {
    await expect(read(name, bytes)).rejects.toThrow(message);
  });
});
