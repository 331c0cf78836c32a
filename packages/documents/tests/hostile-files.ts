/** Files that are made to take time or memory, or to break a parser. */
import { zipSync } from "fflate";
import { excelWorkbook, powerPoint, row, shape } from "./office-files.ts";

export interface HostileFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Creates a Word document with this XML inside its body. */
export function wordDocument(body: string | Uint8Array): Uint8Array {
  const relationships = "http://schemas.openxmlformats.org/package/2006/relationships";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
  const types = "http://schemas.openxmlformats.org/package/2006/content-types";
  const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  const [open, close] = [
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`,
    "</w:body></w:document>",
  ].map(bytesOf);
  const inner = typeof body === "string" ? bytesOf(body) : body;
  const document = Buffer.concat([open ?? "", inner, close ?? ""].map((part) => Buffer.from(part)));
  return zipSync(
    {
      "[Content_Types].xml": bytesOf(
        `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
      ),
      "_rels/.rels": bytesOf(
        `<Relationships xmlns="${relationships}"><Relationship Id="r1" Type="${office}" Target="word/document.xml"/></Relationships>`,
      ),
      "word/document.xml": new Uint8Array(document),
    },
    { level: 1 },
  );
}

export const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** Creates a PDF that shows the same page many times. */
export function pdfDocument(text: string, pages = 1): Uint8Array {
  const content = `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages} /Kids [${"3 0 R ".repeat(pages)}] >>`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return bytesOf(file);
}

/** Changes an archive so that its entries declare a small size. */
export function withSmallSizes(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive);
  const entry = Buffer.from("PK\x01\x02", "latin1");
  for (let at = bytes.indexOf(entry); at >= 0; at = bytes.indexOf(entry, at + 4)) bytes.writeUInt32LE(1000, at + 24);
  return bytes;
}

/** Creates files in each format, nested to the given depth. */
export function nestedFiles(depth: number): readonly HostileFile[] {
  const texts: Readonly<Record<string, readonly [open: string, close: string]>> = {
    "arrays.json": ["[", "]"],
    "objects.jsonl": ['{"a":', "}"],
    "elements.html": ["<div>", "</div>"],
    "inline.html": ["<b>", "</b>"],
    "lists.html": ["<ul><li>", "</li></ul>"],
    "tables.html": ["<table><tr><td>", "</td></tr></table>"],
    "quotes.md": [">", ""],
    "brackets.md": ["[", "]"],
    "emphasis.md": ["*a ", " b*"],
  };
  const nested = Object.entries(texts).map(([name, [open, close]]) => ({
    name,
    bytes: bytesOf(`${open.repeat(depth)}1${close.repeat(depth)}`),
  }));
  const word = `${"<w:tbl><w:tr><w:tc>".repeat(depth)}${paragraph("x")}${"</w:tc></w:tr></w:tbl>".repeat(depth)}`;
  const levels = (inner: string) => `${"<x>".repeat(depth)}${inner}${"</x>".repeat(depth)}`;
  return [
    ...nested,
    { name: "tables.docx", bytes: wordDocument(word) },
    { name: "levels.xlsx", bytes: excelWorkbook({ sheets: { a: levels(row(1, ["x"])) } }) },
    { name: "levels.pptx", bytes: powerPoint([{ shapes: levels(shape(["x"])) }]) },
  ];
}
