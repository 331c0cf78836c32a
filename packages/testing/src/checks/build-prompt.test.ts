import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Document, Packer, Paragraph } from "docx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { excelWorkbook, powerPoint, row, shape } from "../../../documents/tests/office-files.ts";
import { buildPrompt } from "./build-prompt.ts";
import type { FileInput } from "./case-config.ts";

let folder = "";
const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);

const png = Buffer.from("89504e470d0a1a0a0000000d", "hex");
const pdf = Buffer.from("%PDF-1.7\n%…\n");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-prompt-"));
  await write("lamp.png", png);
  await write("order.pdf", pdf);
  await write("orders.csv", "id,state\nA-1001,shipped\n");
  await write("wide.txt", Buffer.from("\ufeffgrüße", "utf16le"));
  await write("latin.txt", Buffer.from("gr\xfc\xdfe", "latin1"));
  await write("empty.txt", "");
  await write("long.txt", "");
  await truncate(join(folder, "long.txt"), 1_000_001);
  const paragraphs = ["Returns", "Within 30 days."].map((each) => new Paragraph(each));
  const sheets = { Prices: row(1, ["pen", "2"]), Lists: row(1, ["secret"]) };
  await write("prices.xlsx", Buffer.from(excelWorkbook({ sheets, hidden: ["Lists"] })));
  await write("talk.pptx", Buffer.from(powerPoint([{ shapes: shape(["Returns"], "title") + shape(["30 days"]) }])));
  await write("terms.docx", await Packer.toBuffer(new Document({ sections: [{ children: paragraphs }] })));
});
afterAll(() => rm(folder, { recursive: true }));

const prompt = (...files: FileInput[]) => buildPrompt("Where is it?", files, folder);

test("an input without files is a text", async () => {
  expect(await prompt()).toBe("Where is it?");
});

test("images and PDFs become parts, other files text, each after its name and description", async () => {
  const files: FileInput[] = [
    { path: "lamp.png", type: "image", description: "The lamp" },
    { path: "order.pdf", type: "pdf" },
    { path: "orders.csv", type: "csv" },
    { path: "terms.docx", type: "word" },
    { path: "prices.xlsx", type: "excel" },
    { path: "talk.pptx", type: "powerpoint" },
    { path: "wide.txt", type: "text" },
  ];
  expect(await prompt(...files)).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "File lamp.png (The lamp):" },
        { type: "image", mediaType: "image/png", data: png.toString("base64") },
        { type: "text", text: "File order.pdf:" },
        { type: "file", mediaType: "application/pdf", data: pdf.toString("base64"), name: "order.pdf" },
        { type: "text", text: "File orders.csv:\n\nid,state\nA-1001,shipped\n" },
        { type: "text", text: "File terms.docx:\n\nReturns\n\nWithin 30 days." },
        {
          type: "text",
          text: "File prices.xlsx:\n\nPrices\n\npen | 2\n\nNote: the file has hidden sheets, which are left out: Lists.",
        },
        { type: "text", text: "File talk.pptx:\n\nReturns\n\n30 days" },
        { type: "text", text: "File wide.txt:\n\ngrüße" },
        { type: "text", text: "Where is it?" },
      ],
    },
  ]);
});

describe("an unusable file is an error with its path and a remedy", () => {
  const wrong: readonly [path: string, type: FileInput["type"], problem: string][] = [
    ["none.txt", "text", "The file none.txt cannot be read (ENOENT). Correct the path"],
    ["long.txt", "text", "The file long.txt has 1.1 MB, but files of the type text may have 1 MB. Make it smaller."],
    ["empty.txt", "text", "The file empty.txt is empty."],
    ["latin.txt", "text", "The file latin.txt is neither UTF-8 nor UTF-16 text. Save it as UTF-8"],
    ["orders.csv", "image", "The file orders.csv is not a PNG, JPEG, GIF or WebP image."],
    ["lamp.png", "pdf", "The file lamp.png is not a PDF."],
    ["lamp.png", "word", "The file lamp.png cannot be read as a Word document."],
    ["lamp.png", "excel", "The file lamp.png cannot be read as an Excel workbook."],
    ["lamp.png", "powerpoint", "The file lamp.png cannot be read as a PowerPoint presentation."],
    [".", "text", "The file . cannot be read (EISDIR)."],
  ];

  test.each(wrong)("%s as %s", async (path, type, problem) => {
    await expect(prompt({ path, type })).rejects.toThrow(problem);
  });
});
