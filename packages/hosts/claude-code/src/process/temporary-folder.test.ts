import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTemporaryFolder } from "./temporary-folder.ts";

test("a temporary folder holds the host's caches until it is removed", async () => {
  const parent = await mkdtemp(join(tmpdir(), "bridle-folder-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = createTemporaryFolder(parent);
  expect(Object.values(folder.variables).every((path) => path.startsWith(folder.path))).toBe(true);
  await writeFile(join(folder.path, "left"), "");
  await folder.remove();
  expect(await readdir(parent)).toEqual([]);
});

test("a parent that is not writable is a ConfigError that names TMPDIR", () => {
  expect(() => createTemporaryFolder("/dev/null")).toThrow(/\/dev\/null, is not writable\. Set TMPDIR/);
});
