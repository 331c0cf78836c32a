import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { readStartTime } from "./process-identity.ts";
import { removeOrphanedFolders, temporaryPrefix } from "./temporary-folders.ts";

let parent = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "bridle-reap-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
});

const kinds = ["bridle-host", "bridle-rehearsal", "bridle-event-log", ".bridle-init"];

test.each(kinds)("folders %s of processes that have ended are removed, with their content", async (kind) => {
  const reused = `${kind}-${process.pid}-1-abc123`; // our pid, but of an earlier process
  const gone = `${kind}-999999999-12345-abcDEF`;
  for (const name of [reused, gone]) mkdirSync(join(parent, name));
  writeFileSync(join(parent, gone, "left"), "");
  await removeOrphanedFolders(parent);
  expect(readdirSync(parent)).toEqual([]);
});

test.each(kinds)("folders %s of living processes, of unknown ones and of other programs stay", async (kind) => {
  expect(readStartTime(process.pid)).toBeDefined();
  const mine = basename(mkdtempSync(join(parent, temporaryPrefix(kind))));
  const others = [`${kind}-x`, "claude-1000", `${kind}-${process.pid}-unknown-abc123`, `${kind}-999999999-12345-`];
  for (const name of others) mkdirSync(join(parent, name));
  await removeOrphanedFolders(parent);
  expect(readdirSync(parent).sort()).toEqual([mine, ...others].sort());
});

test("a link with the name of such a folder stays, and nothing behind it is removed", async () => {
  const target = join(parent, "target");
  mkdirSync(target);
  writeFileSync(join(target, "file"), "");
  const name = "bridle-host-999999999-12345-abc123";
  symlinkSync(target, join(parent, name));
  await removeOrphanedFolders(parent);
  expect(existsSync(join(target, "file"))).toBe(true);
  expect(readdirSync(parent).sort()).toEqual([name, "target"]);
});

test.runIf(process.getuid?.() === 0)("a folder of another user stays", async () => {
  const name = "bridle-host-999999999-12345-abc123";
  mkdirSync(join(parent, name));
  chownSync(join(parent, name), 65_534, 65_534);
  await removeOrphanedFolders(parent);
  expect(readdirSync(parent)).toEqual([name]);
});
