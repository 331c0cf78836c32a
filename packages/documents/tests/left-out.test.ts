import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Documents, openDocuments, openSqliteStore } from "../src/index.ts";
import { pdfDocument } from "./hostile-files.ts";
import { excelWorkbook, row } from "./office-files.ts";

let folder = "";
let documents: Documents;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-left-out-"));
  mkdirSync(join(folder, "docs/deep"), { recursive: true });
  documents = open();
});
afterEach(async () => {
  await documents.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(sources: readonly string[] = ["docs"]): Documents {
  const store = openSqliteStore(join(folder, "index.db"));
  return openDocuments({ sources, baseDir: folder, store, searchMode: "keyword", maxFileBytes: 1_000_000 });
}

const pathOf = (name: string) => join(folder, "docs", name);
const put = (name: string, content: string | Uint8Array) => writeFileSync(pathOf(name), content);
const latin = Buffer.from("Die Rückgabe ist innerhalb von dreißig Tagen möglich.", "latin1");
const problemsOf = (files: readonly { readonly file: string; readonly problem: string }[]) =>
  files.map(({ problem }) => problem);

/** Returns a PDF that needs a password. */
function lockedPdf(): string {
  const text = new TextDecoder().decode(pdfDocument("secret"));
  const key = `<${"28bf4e5e4e758a4164004e56fffa0108".repeat(2)}>`;
  const entry = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >> /ID [<00> <00>]`;
  return text.replace("/Root 1 0 R", `/Root 1 0 R ${entry}`);
}

async function pdfWithEmptyPages(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of ["first", "", "", "fourth", ""]) pdf.addPage().drawText(text, { font });
  return pdf.save();
}

describe("an update names each file that is left out, with the reason, and so does the status afterwards", () => {
  async function expectReported(expected: {
    failed?: string[];
    skipped?: string[];
    warnings?: string[];
  }): Promise<void> {
    for (const report of [await documents.update(), await documents.status(), await documents.update()])
      for (const kind of ["failed", "skipped", "warnings"] as const)
        expect([kind, problemsOf(report[kind])]).toEqual([kind, expected[kind] ?? []]);
  }

  test("files of other formats, whatever their folder", async () => {
    for (const name of ["a.md", "deep/logo.png", "Makefile", "old.doc"]) put(name, "text");
    await expectReported({
      skipped: [
        "docs/Makefile has no ending, which would name its format.",
        "docs/deep/logo.png has the ending .png, which is not supported.",
        "docs/old.doc has a format of Office before 2007. Save it as .docx.",
      ],
    });
  });

  test("links to folders and to nothing", async () => {
    symlinkSync("deep", pathOf("folder"));
    symlinkSync("gone.md", pathOf("nothing.md"));
    await expectReported({
      skipped: [
        "docs/folder is a link, but not to a file. Name its target as a source.",
        "docs/nothing.md is a link, but not to a file. Name its target as a source.",
      ],
    });
  });

  test.skipIf(process.platform === "win32")("pipes", async () => {
    execFileSync("sh", ["-c", `mkfifo "$0"`, pathOf("pipe.md")]);
    await expectReported({ skipped: ["docs/pipe.md is not a regular file."] });
  });

  test("documents without text, also after they are renamed, until they have one", async () => {
    for (const name of ["a.md", "b.json", "c.html"]) put(name, { "a.md": " \n", "b.json": "[]" }[name] ?? "<p></p>");
    await expectReported({
      skipped: ["docs/a.md has no text.", "docs/b.json has no text.", "docs/c.html has no text."],
    });
    renameSync(pathOf("a.md"), pathOf("d.md"));
    put("b.json", "[1]");
    rmSync(pathOf("c.html"));
    await expectReported({ skipped: ["docs/d.md has no text."] });
  });

  test("documents that are too large, protected by a password, or a PDF of images", async () => {
    put("huge.txt", "");
    truncateSync(pathOf("huge.txt"), 2_000_000);
    put("locked.pdf", lockedPdf());
    put("scan.pdf", pdfDocument(""));
    await expectReported({
      failed: [
        "docs/huge.txt has 2 MB, more than the limit of 1 MB. Split it, or raise max_file_mb.",
        "docs/locked.pdf is protected by a password. Save it without one.",
        "docs/scan.pdf has no text; its pages may be images. Run text recognition (OCR) on it first.",
      ],
    });
  });

  test("what is left out of a document, and a guess of its encoding", async () => {
    put("latin.txt", latin);
    put("pages.pdf", await pdfWithEmptyPages());
    put("prices.xlsx", excelWorkbook({ sheets: { A: row(1, ["pen"]), B: row(1, ["secret"]) }, hidden: ["B"] }));
    await expectReported({
      warnings: [
        "docs/latin.txt is read as Windows-1252, which is a guess. If letters are wrong, save it as UTF-8.",
        "docs/pages.pdf has pages without text, which are empty or images: 2-3, 5. Text recognition (OCR) reads images.",
        "docs/prices.xlsx has hidden sheets, which are left out: B.",
      ],
    });
    expect(await documents.search("Rückgabe")).toMatchObject([{ file: "docs/latin.txt" }]);
    renameSync(pathOf("latin.txt"), pathOf("german.txt"));
    put("prices.xlsx", excelWorkbook({ sheets: { A: row(1, ["pen"]) } }));
    rmSync(pathOf("pages.pdf"));
    await expectReported({ warnings: [expect.stringContaining("docs/german.txt is read as Windows-1252")] });
  });
});

test("a file that one source skips and another names is not listed as skipped, and a glob lists only what it matches", async () => {
  await documents.close();
  put("notes.md", "plum");
  put("data.bin", "x");
  put("other.png", "x");
  documents = open(["docs/*.bin", "docs/*.md"]);
  const { skipped, failed } = await documents.update();
  expect(problemsOf(skipped)).toEqual(["docs/data.bin has the ending .bin, which is not supported."]);
  expect(problemsOf(failed)).toEqual(["docs/*.bin matches no document. Correct the source, or remove it."]);
});
