import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTextFile, readTextFileSync } from "./read-text-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-text-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, "settings.yaml");

describe.skipIf(process.platform === "win32")("a file of settings that would block or fill the memory", () => {
  test.each([
    ["a pipe", () => execFileSync("sh", ["-c", 'mkfifo "$0"', path()]), "not a regular file"],
    ["a link to an endless device", () => symlinkSync("/dev/zero", path()), "not a regular file"],
    [
      "a file of two gigabytes",
      () => {
        writeFileSync(path(), "");
        truncateSync(path(), 2_000_000_000);
      },
      "more than 16 MB",
    ],
    ["a folder", () => mkdirSync(path()), "EISDIR"],
    ["no file", () => {}, "ENOENT"],
  ])("is refused at once: %s", async (_title, create, code) => {
    create();
    await expect(readTextFile(path())).rejects.toMatchObject({ code });
    expect(() => readTextFileSync(path())).toThrow(expect.objectContaining({ code }));
  });
});

test("an ordinary file, and a link to one, are read", async () => {
  writeFileSync(join(folder, "real.yaml"), "name: desk ü\n");
  symlinkSync("real.yaml", path());
  expect([await readTextFile(path()), readTextFileSync(path())]).toEqual(["name: desk ü\n", "name: desk ü\n"]);
});
