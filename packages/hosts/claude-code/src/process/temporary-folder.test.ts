import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readStartTime } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import { createTemporaryFolder, removeOrphanedFolders } from "./temporary-folder.ts";

test("folders of dead owners are removed; those of living owners and of other programs stay", async () => {
  const parent = await mkdtemp(join(tmpdir(), "bridle-reap-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const mine = basename(createTemporaryFolder(parent).path);
  const reused = `bridle-host-${process.pid}-1-abc123`; // our pid, but of an earlier process
  const gone = "bridle-host-999999999-12345-abc123";
  const foreign = ["bridle-host-x", "claude-1000", `bridle-host-${process.pid}-unknown-abc123`];
  await Promise.all([reused, gone, ...foreign].map((name) => mkdir(join(parent, name))));
  await writeFile(join(parent, gone, "left"), "");
  expect(readStartTime(process.pid)).toBeDefined();
  await removeOrphanedFolders(parent);
  expect((await readdir(parent)).sort()).toEqual([mine, ...foreign].sort());
});

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
