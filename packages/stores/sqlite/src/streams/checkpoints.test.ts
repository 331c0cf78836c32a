import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { Checkpoints } from "./checkpoints.ts";

/** Enough written bytes for a checkpoint. */
const much = 8_000_000;

function openCheckpoints(): { readonly file: string; readonly checkpoints: Checkpoints } {
  const folder = mkdtempSync(join(tmpdir(), "bridle-checkpoints-"));
  const file = join(folder, "state.db");
  const checkpoints = new Checkpoints({ file, pauseDuring: (work) => work });
  onTestFinished(async () => {
    await checkpoints.close();
    rmSync(folder, { recursive: true });
  });
  return { file, checkpoints };
}

/** Creates a database whose rows are in the write-ahead log. */
function createDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE a (x)");
  database.prepare("INSERT INTO a VALUES (?)").run("x".repeat(100_000));
  expect(statSync(file).size).toBeLessThan(10_000);
  return database;
}

test("a checkpoint waits for another process that has locked the file", async () => {
  const { file, checkpoints } = openCheckpoints();
  const database = createDatabase(file);
  database.exec("PRAGMA locking_mode = EXCLUSIVE; INSERT INTO a VALUES (1)");
  checkpoints.count(0, much);
  await sleep(400);
  database.exec("PRAGMA locking_mode = NORMAL; SELECT * FROM a");
  await expect.poll(() => statSync(file).size, { timeout: 30_000 }).toBeGreaterThan(100_000);
});

test("after checkpoints that failed, the next one tries again", async () => {
  const { file, checkpoints } = openCheckpoints();
  mkdirSync(file); // not a database
  for (let count = 0; count < 4; count++) {
    checkpoints.count(0, much);
    await sleep(200);
  }
  rmdirSync(file);
  createDatabase(file);
  const grows = () => {
    checkpoints.count(0, much);
    return statSync(file).size;
  };
  await expect.poll(grows, { timeout: 30_000 }).toBeGreaterThan(100_000);
});
