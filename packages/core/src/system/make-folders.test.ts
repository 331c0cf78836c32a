import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders } from "./private-files.ts";

test("folders are created for this user alone, also if they are there", () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-folders-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inner = join(folder, "a", "b");
  makeFolders(inner);
  makeFolders(inner);
  expect(statSync(inner).mode & 0o777).toBe(0o700);
});

test.skipIf(!existsSync("/proc/self"))(
  "a folder in a place that takes none is an error, instead of a wait without an end",
  () => {
    expect(() => makeFolders("/proc/x/y")).toThrow(/ENOENT|EACCES|EPERM/);
  },
);
