import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readStartTime } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import { createTemporaryFolder, removeOrphanedFolders } from "./temporary-folder.ts";

test("what dead owners left is removed; folders of the living, and of others, stay", async () => {
  const parent = await mkdtemp(join(tmpdir(), "bridle-reap-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const mine = basename(createTemporaryFolder(parent).path);
  const reused = `bridle-host-${process.pid}-1-abc123`; // our pid, but somebody else's before us
  const gone = "bridle-host-999999999-12345-abc123";
  const foreign = ["bridle-host-x", "claude-1000", `bridle-host-${process.pid}-unknown-abc123`];
  await Promise.all([reused, gone, ...foreign].map((name) => mkdir(join(parent, name))));
  await writeFile(join(parent, gone, "left"), "");
  expect(readStartTime(process.pid)).toBeDefined();
  await removeOrphanedFolders(parent);
  expect((await readdir(parent)).sort()).toEqual([mine, ...foreign].sort());
});

test("it is there while it is needed, and the host's caches go with it", async () => {
  const parent = await mkdtemp(join(tmpdir(), "bridle-folder-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = createTemporaryFolder(parent);
  expect(Object.values(folder.variables).every((path) => path.startsWith(folder.path))).toBe(true);
  await writeFile(join(folder.path, "left"), "");
  await folder.remove();
  expect(await readdir(parent)).toEqual([]);
});

test("a parent that cannot be written to is a ConfigError that says what to set", () => {
  expect(() => createTemporaryFolder("/dev/null")).toThrow(/\/dev\/null, is not writable\. Set TMPDIR/);
});
