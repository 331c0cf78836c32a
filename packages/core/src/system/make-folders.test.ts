import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeFolders } from "./private-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-folders-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

test("folders are created for this user alone, also if they are there", () => {
  const inner = join(folder, "a", "b");
  expect(makeFolders(inner)).toBe(join(folder, "a"));
  expect(makeFolders(inner)).toBeUndefined();
  expect(makeFolders(join(inner, "c"))).toBe(join(inner, "c"));
  expect(statSync(inner).mode & 0o777).toBe(0o700);
});

test("shared folders get the mode that the umask leaves", () => {
  const inner = join(folder, "a", "b");
  makeFolders(inner, { isShared: true });
  expect(statSync(inner).mode & 0o777).toBe(0o777 & ~process.umask());
});

test("a file or a broken link with the name of a folder is an error", () => {
  writeFileSync(join(folder, "file"), "");
  symlinkSync(join(folder, "nowhere"), join(folder, "link"));
  expect(() => makeFolders(join(folder, "file"))).toThrow("EEXIST");
  expect(() => makeFolders(join(folder, "file", "inner"))).toThrow(/EEXIST|ENOTDIR/);
  expect(() => makeFolders(join(folder, "link", "inner"))).toThrow("EEXIST");
});

test("a link to a folder is a folder", () => {
  symlinkSync(folder, join(folder, "link"));
  makeFolders(join(folder, "link", "inner"));
  expect(existsSync(join(folder, "inner"))).toBe(true);
});

test.skipIf(!existsSync("/proc/self"))(
  "a folder in a place that takes none is an error, instead of a wait without an end",
  () => {
    expect(() => makeFolders("/proc/x/y")).toThrow(/ENOENT|EACCES|EPERM/);
  },
);
