import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStartTime } from "@bridle/core";
import { StoreBusyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder-for-tests.ts";
import { lock, runningIn } from "./lock.ts";

const id = "20261122-071501-aaaa";

test("a lock belongs to one process at a time, and other locks do not matter", () => {
  const folder = temporaryFolder();
  const held = lock(folder, id, "file");
  expect(() => lock(folder, id, "file")).toThrow(StoreBusyError);
  lock(folder, "20261122-071501-bbbb", "file").release();
  expect([...runningIn(folder)]).toEqual([id]);
  held.release();
  expect([...runningIn(folder)]).toEqual([]);
  lock(folder, id, "file").release();
  expect(readdirSync(folder)).toEqual([]);
});

test("the lock of a dead process is ignored, even if another process has its id now", () => {
  const folder = temporaryFolder();
  const gone = [
    `${id}.${process.pid}.before.${"0".repeat(16)}.lock`,
    `20261122-071501-bbbb.2147483646.1.${"0".repeat(16)}.lock`,
  ];
  for (const name of gone) writeFileSync(join(folder, name), "");
  expect([...runningIn(folder)]).toEqual([]);
  lock(folder, id, "file").release();
  expect(readdirSync(folder)).toEqual([]);
});

test("without start times, a living process has the lock", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, `${id}.${process.pid}.unknown.${"0".repeat(16)}.lock`), "");
  expect([...runningIn(folder)]).toEqual([id]);
  expect(readStartTime(process.pid)).toBeDefined();
});
