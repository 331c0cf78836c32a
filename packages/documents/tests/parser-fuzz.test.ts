/**
 * Reads arbitrary files of up to two megabytes in every format, and checks that time and memory are bounded. SOAK_FACTOR makes the test run
 * longer.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { DocumentError } from "../src/index.ts";
import { documentEndings } from "../src/parse/parse-document.ts";
import { DocumentReader } from "../src/reading/document-reader.ts";
import { nestedFiles, paragraph, pdfDocument, wordDocument } from "./hostile-files.ts";
import { excelWorkbook, powerPoint, row, shape } from "./office-files.ts";

const factor = Number(process.env.SOAK_FACTOR ?? 1);
const isLong = factor > 1;
const maxBytes = isLong ? 2_000_000 : 100_000;
const limits = { seconds: isLong ? 20 : 4, memoryBytes: 500_000_000 };
const reader = new DocumentReader({ maxFileBytes: maxBytes, limits });
afterAll(() => reader.close());

const bytesOf = (text: string) => new TextEncoder().encode(text);
const valid: Readonly<Record<string, Uint8Array>> = {
  ".docx": wordDocument(Array.from({ length: 50 }, (_, index) => paragraph(`Paragraph ${index}`)).join("")),
  ".xlsx": excelWorkbook({ sheets: { a: [1, 2, 3].map((number) => row(number, ["id", "note"])).join("") } }),
  ".pptx": powerPoint([{ shapes: shape(["Title"], "title") + shape(["one", "two"]), notes: shape(["note"], "body") }]),
  ".pdf": pdfDocument("Some text", 3),
  ".html": bytesOf("<h1>Title</h1><p>Text <b>bold</b></p><table><tr><td>1</td></tr></table>".repeat(20)),
  ".json": bytesOf(JSON.stringify([{ id: 1, note: "text", deep: { list: [1, 2, { a: null }] } }])),
  ".jsonl": bytesOf('{"id": 1}\n{"id": 2}\n'),
  ".csv": bytesOf('id;note\n1;"two\nlines"\n2;x;extra\n'),
  ".md": bytesOf(
    "---\ntitle: a\n---\n# Head\n\n- one\n  - two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\ncode\n```\n",
  ),
};

const ending = fc.constantFrom(...documentEndings);
const size = fc.integer({ min: 1, max: maxBytes });

/** A valid file in which bytes were changed, removed or repeated. */
const mutated = fc
  .tuple(
    ending,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
    fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 0, max: 2000 })),
  )
  .map(([name, changes, [from, length, times]]) => {
    const base = valid[name] ?? valid[".md"] ?? new Uint8Array();
    const bytes = Uint8Array.from(base);
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    const part = bytes.subarray(from % bytes.length, (from % bytes.length) + (length % 200));
    const repeated = Buffer.concat(Array.from({ length: times }, () => part)).subarray(0, maxBytes);
    return { name: `mutated${name}`, bytes: new Uint8Array(Buffer.concat([bytes, repeated])) };
  });

const random = fc
  .tuple(ending, fc.uint8Array({ minLength: 1, maxLength: 2000 }), size)
  .map(([name, part, length]) => ({ name: `random${name}`, bytes: fill(part, length) }));

const tokens = [
  "[",
  "{",
  '{"a":',
  "<div>",
  "<b>",
  "<table>",
  "<a href=x>",
  "> ",
  "* ",
  "- ",
  "`",
  "![",
  "](",
  "**_",
  "|",
  "\n",
  ",",
  '"',
  "#",
  "&",
  "<!--",
  "\\",
  "̈",
  "\u200d",
  "注",
  " ",
];
const adversarial = fc
  .tuple(ending, fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 4 }), size)
  .map(([name, parts, length]) => ({ name: `adversarial${name}`, bytes: fill(bytesOf(parts.join("")), length) }));

const nested = fc
  .tuple(fc.integer({ min: 1, max: maxBytes / 20 }), fc.nat())
  .map(([depth, which]) => nestedFiles(depth)[which % nestedFiles(1).length])
  .filter((file) => file !== undefined);

function fill(part: Uint8Array, length: number): Uint8Array {
  return new Uint8Array(Buffer.alloc(length, Buffer.from(part)));
}

test(`a file of up to ${maxBytes / 1000} kB in any format is read or refused within its limits`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, random, adversarial, nested), async (file) => {
      const started = performance.now();
      const before = process.memoryUsage.rss();
      const reading = reader.read({ file, chunking: {}, records: {}, willDescribe: false });
      const outcome = await reading.then(
        ({ chunks }) => chunks.reduce((sum, { text }) => sum + text.length, 0),
        (error: unknown) => error,
      );
      if (typeof outcome !== "number") {
        expect(outcome).toBeInstanceOf(DocumentError);
        expect(String(outcome)).toContain(file.name);
        expect(String(outcome)).not.toContain("report it as a fault");
      } else expect(outcome).toBeLessThanOrEqual(10_000_000 + 10 * file.bytes.length);
      expect(performance.now() - started).toBeLessThan((limits.seconds + 10) * 1000);
      expect(process.memoryUsage.rss() - before).toBeLessThan(500_000_000);
    }),
    { numRuns: 40 * factor, endOnFailure: true },
  );
  const harmless = { name: "a.md", bytes: bytesOf("# Returns\n\nSend it back.") };
  const { chunks } = await reader.read({ file: harmless, chunking: {}, records: {}, willDescribe: false });
  expect(chunks.map(({ text }) => text)).toEqual(["# Returns\n\nSend it back."]);
});

test.skipIf(process.platform !== "linux")(
  "the process that reads has no more memory than its limit allows",
  async () => {
    const small = new DocumentReader({ maxFileBytes: 2_000_000, limits: { memoryBytes: 250_000_000 } });
    let highest = 0;
    const timer = setInterval(() => {
      const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").match(/\d+/g) ?? [];
      for (const pid of pids) highest = Math.max(highest, residentKilobytes(pid));
    }, 20);
    const file = { name: "dense.html", bytes: bytesOf("<i>x</i>".repeat(250_000)) };
    await expect(small.read({ file, chunking: {}, records: {}, willDescribe: false })).rejects.toThrow(
      "250 MB of memory",
    );
    clearInterval(timer);
    await small.close();
    expect(highest).toBeGreaterThan(50_000);
    expect(highest).toBeLessThan(500_000);
  },
);

function residentKilobytes(pid: string): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // the process has ended
  }
}
