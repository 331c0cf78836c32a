import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inTransaction } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import { SharedWait } from "./shared-wait.ts";

test("after a wait in vain, writes do not wait, until one succeeds or as much time has passed", () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-wait-"));
  const open = () => new DatabaseSync(join(folder, "a.db"), { timeout: 20 });
  const [one, two] = [open(), open()];
  onTestFinished(() => {
    for (const database of [one, two]) database.close();
    rmSync(folder, { recursive: true });
  });
  let time = 0;
  const wait = new SharedWait(one, () => time);
  /** Tries to write, and returns how long the write would wait. */
  const write = () => {
    let waitMs: unknown;
    try {
      wait.run(() => {
        waitMs = one.prepare("PRAGMA busy_timeout").get()?.timeout;
        inTransaction(one, () => {});
      });
      return ["written", waitMs];
    } catch {
      return ["locked", waitMs];
    }
  };
  expect(write()).toEqual(["written", 20]);
  two.exec("BEGIN IMMEDIATE");
  expect([write(), write(), write()]).toEqual([
    ["locked", 20],
    ["locked", 0],
    ["locked", 0],
  ]);
  time += 10_000;
  expect([write(), write()]).toEqual([
    ["locked", 20],
    ["locked", 0],
  ]);
  wait.allow();
  expect([write(), write()]).toEqual([
    ["locked", 20],
    ["locked", 0],
  ]);
  two.exec("ROLLBACK");
  expect([write(), write()]).toEqual([
    ["written", 0],
    ["written", 20],
  ]);
  expect(one.prepare("PRAGMA busy_timeout").get()).toEqual({ timeout: 20 });
});
