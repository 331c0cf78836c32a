import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { createShop } from "./support/shop.ts";
import { SqliteWarehouse, testDialect } from "./support/sqlite-warehouse.ts";

const kills = 20;

test("a scan that is killed at 20 random points ends with the same facts as one that is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-killed-scan-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "shop.sqlite");
  createShop(file, 400);
  const [whole, killed] = [join(folder, "whole.sqlite"), join(folder, "killed.sqlite")];
  const messages = await scanWhole(file, whole);
  const random = numbers(11);
  let killedInTime = 0;
  for (let kill = 0; kill < kills; kill++) {
    const after = Math.floor(random() * messages);
    if (await killAfter(file, killed, after, Math.floor(random() * 4))) killedInTime++;
  }
  await scanWhole(file, killed);
  expect(killedInTime).toBeGreaterThan(kills / 2);
  expect(contentsOf(killed)).toEqual(contentsOf(whole));
}, 120_000);

async function scanWhole(file: string, factsFile: string): Promise<number> {
  const warehouse = new SqliteWarehouse(file);
  const facts = openFacts({ file: factsFile });
  let messages = 0;
  await scan(warehouse, facts, {
    dialect: testDialect,
    now: () => Date.UTC(2025, 0, 1),
    onProgress: () => void messages++,
  });
  facts.close();
  await warehouse.close();
  return messages;
}

/** Kills a scan after so many messages and milliseconds. Returns whether it was still running. */
async function killAfter(file: string, facts: string, messages: number, waitMs: number): Promise<boolean> {
  const program = join(import.meta.dirname, "scanning-process.ts");
  const child = fork(program, [file, facts], { execArgv: ["--conditions=@bridle/source"], stdio: "ignore" });
  const ended = once(child, "exit");
  let seen = 0;
  child.on("message", () => {
    if (seen++ === messages) setTimeout(() => child.kill("SIGKILL"), waitMs);
  });
  const [, signal] = await ended;
  return signal === "SIGKILL";
}

/** What is stored about the connection, without the version of the file. */
function contentsOf(file: string): unknown {
  using database = new DatabaseSync(file, { readOnly: true });
  const read = (sql: string) => database.prepare(sql).all();
  return {
    connections: read("SELECT * FROM connections"),
    scans: read("SELECT * FROM scans"),
    measured: read("SELECT id, fingerprint, facts, hex(profile) AS profile FROM measured ORDER BY id, fingerprint"),
    tables: read("SELECT * FROM tables ORDER BY id"),
    joins: read("SELECT * FROM joins ORDER BY id"),
    checks: read("SELECT * FROM checks ORDER BY question"),
    drift: read("SELECT * FROM drift ORDER BY place"),
  };
}

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
