import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isSoak } from "../../../tests/support/soak.ts";
import { type DocumentsOptions, openDocuments, openSqliteStore, type UpdateReport } from "../src/index.ts";
import { nestedFiles, paragraph, pdfDocument, withSmallSizes, wordDocument } from "./hostile-files.ts";
import { excelWorkbook, powerPoint, row, shape } from "./office-files.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-hostile-"));
  mkdirSync(join(folder, "docs"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, "docs", name), content);

/** Indexes the folder together with a harmless file that sorts first and one that sorts last. Both must be found. */
async function index(limits?: DocumentsOptions["limits"]): Promise<UpdateReport> {
  put("0-before.md", "apple");
  put("zz-after.docx", wordDocument(paragraph("plum")));
  const store = openSqliteStore(join(folder, "index.db"));
  const documents = openDocuments({ sources: ["docs"], baseDir: folder, store, searchMode: "keyword", limits });
  try {
    const report = await documents.update();
    for (const [word, file] of [
      ["apple", "docs/0-before.md"],
      ["plum", "docs/zz-after.docx"],
    ] as const)
      expect((await documents.search(word)).map((hit) => hit.file)).toContain(file);
    return report;
  } finally {
    await documents.close();
  }
}

const problemsOf = ({ failed }: UpdateReport) => failed.map(({ problem }) => problem);

describe("a document that would become huge is named with the reason, and all others are indexed", () => {
  const [long, small] = [120_000_000, 3_000_000];
  const letters = (count: number) => new Uint8Array(count).fill(97);
  const cases: readonly (readonly [
    title: string,
    name: string,
    content: () => string | Uint8Array,
    problem: string,
  ])[] = [
    [
      "a Word document that unpacks to 120 MB",
      "bomb.docx",
      () => wordDocument(letters(long)),
      "has more than 100 MB of text",
    ],
    [
      "a Word document that unpacks to more than it declares",
      "liar.docx",
      () => withSmallSizes(wordDocument(letters(small))),
      "cannot be read as a Word document.",
    ],
    [
      "an Excel workbook that unpacks to 120 MB",
      "bomb.xlsx",
      () => excelWorkbook({ sheets: { a: row(1, ["a".repeat(long)]) } }),
      "has more than 100 MB of text when it is unpacked.",
    ],
    [
      "a PowerPoint presentation that unpacks to 120 MB",
      "bomb.pptx",
      () => powerPoint([{ shapes: shape(["a".repeat(long)]) }]),
      "has more than 100 MB of text when it is unpacked.",
    ],
    [
      "an Excel workbook that unpacks to more than it declares",
      "liar.xlsx",
      () => withSmallSizes(excelWorkbook({ sheets: { a: row(1, ["a".repeat(small)]) } })),
      "cannot be read as an Excel workbook.",
    ],
    [
      "a sheet with a text of a megabyte in each of 10,000 cells",
      "text.xlsx",
      () =>
        excelWorkbook({
          strings: [`<t>${"a".repeat(1_000_000)}</t>`],
          sheets: { a: '<row><c t="s"><v>0</v></c></row>'.repeat(10_000) },
        }),
      "has more than 10,000,000 characters of text",
    ],
    [
      "a sheet with cells only in the first and the 200th column of 100,000 rows",
      "wide.xlsx",
      () =>
        excelWorkbook({
          sheets: { a: '<row><c t="str"><v>a</v></c><c r="GR1" t="str"><v>b</v></c></row>'.repeat(100_000) },
        }),
      "characters of text when it is read.",
    ],
    ["a PDF of 200,000 pages", "bomb.pdf", () => pdfDocument("x", 200_000), "has 200,000 pages, more than the limit"],
    [
      "a table with a column name of a megabyte",
      "names.csv",
      () => `${"n".repeat(1_000_000)}\n${"1\n".repeat(1000)}`,
      "has more than 10,020,010 characters of text",
    ],
    [
      "JSON with a name of a megabyte around many values",
      "names.json",
      () => JSON.stringify({ ["n".repeat(1_000_000)]: Array.from({ length: 1000 }, () => 1) }),
      "characters of text when it is read. Split it.",
    ],
  ];
  /** The same code unpacks all Office formats, so PowerPoint is tested only in `npm run soak`. */
  const some = cases.filter(([, name]) => isSoak || !name.endsWith(".pptx"));
  test.each(some)("%s", async (_title, name, content, problem) => {
    put(name, content());
    const report = await index();
    expect(problemsOf(report)).toEqual([expect.stringContaining(problem)]);
    expect(problemsOf(report)[0]).toMatch(new RegExp(`^docs/${name} `));
  });

  test("a long heading is not repeated whole in each passage below it", async () => {
    put("title.md", `# ${"title ".repeat(10_000)}\n\n${"A sentence of the text. ".repeat(20_000)}`);
    expect(problemsOf(await index())).toEqual([]);
  });
});

describe("a document that takes too much is named, its process is ended, and all others are indexed", () => {
  const slowPage = "<p>".repeat(3_000_000);
  const limits = { seconds: 4, memoryBytes: 4_000_000_000 };

  test("time: a page with many elements, and the process that indexes stays responsive meanwhile", async () => {
    put("slow.html", slowPage);
    const started = performance.now();
    let longest = 0;
    let last = started;
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 10);
    const report = await index(limits);
    clearInterval(timer);
    expect(longest).toBeLessThan(2000);
    expect(problemsOf(report)).toEqual([
      "docs/slow.html takes more than 4 seconds to read. Split it, or leave it out of the source.",
    ]);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  test("memory: a page of two megabytes with many elements", async () => {
    put("dense.html", "<i>x</i>".repeat(250_000));
    expect(problemsOf(await index({ memoryBytes: 250_000_000 }))).toEqual([
      "docs/dense.html needs more than 250 MB of memory to be read. Split it, or leave it out of the source.",
    ]);
  });
});

describe("a document that breaks its parser is named, and all others are indexed", () => {
  /** With more levels, reading takes until the time limit in every format. */
  test("documents with tens of thousands of levels", async () => {
    for (const { name, bytes } of nestedFiles(isSoak ? 100_000 : 20_000)) put(name, bytes);
    const report = await index({ seconds: 5 });
    const outcomes = report.failed.map(({ file, problem }) => problem.slice(file.length + 1));
    expect(outcomes.length).toBeGreaterThanOrEqual(6);
    for (const outcome of outcomes)
      expect(outcome).toMatch(/^(is nested too deeply|takes more than 5 seconds|cannot be read)/);
  });

  test("documents with 3,000 levels", async () => {
    for (const { name, bytes } of nestedFiles(3000)) put(name, bytes);
    const { added, failed } = await index({ seconds: 10 });
    expect(added.length + failed.length).toBe(nestedFiles(1).length + 2);
  });

  test("with ten levels they are read", async () => {
    const files = nestedFiles(10);
    for (const { name, bytes } of files) put(name, bytes);
    const report = await index();
    expect([problemsOf(report), report.added.length]).toEqual([[], files.length + 2]);
  });
});

test("wide documents are read: a page with tens of thousands of paragraphs, and as many headings in a row", async () => {
  const count = isSoak ? 100_000 : 30_000;
  put("wide.html", `<div>${"<p>x</p>".repeat(count)}</div>`);
  put("headings.md", `${"# a\n".repeat(count)}${"b".repeat(200_001)}`);
  expect(problemsOf(await index({ seconds: 110 }))).toEqual([]);
});
