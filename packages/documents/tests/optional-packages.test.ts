/** Tests parsers with optional packages in a process without these packages. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const program = join(import.meta.dirname, "without-packages.ts");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-optional-"));
  for (const name of ["handbook.pdf", "handbook.docx"]) writeFileSync(join(folder, name), "");
  writeFileSync(join(folder, "latin.txt"), Buffer.from("Gr\u00fc\u00dfe", "latin1"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function parseWithout(file: string): string {
  const args = ["--conditions=@bridle/source", program, file, "unpdf", "mammoth", "jschardet"];
  return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
}

test.each([
  ["handbook.pdf", "unpdf"],
  ["handbook.docx", "mammoth"],
])("%s needs the package %s, and the error says how to install it", (file, name) => {
  expect(parseWithout(file)).toBe(
    `DocumentError: ${file} needs the package "${name}", which is not installed. Run "npm install ${name}".\n`,
  );
});

test("a text that is not UTF-8 needs the package jschardet, and the error names both remedies", () => {
  expect(parseWithout("latin.txt")).toBe(
    'DocumentError: latin.txt is neither UTF-8 nor UTF-16 text. Save it as UTF-8. To guess its encoding, Bridle needs the package "jschardet", which is not installed. Run "npm install jschardet".\n',
  );
});

test("other documents are read without the optional packages", () => {
  expect(parseWithout("returns.md")).toBe("# Returns\n");
});
