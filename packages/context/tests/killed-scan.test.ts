import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { isSoak } from "../../../tests/support/soak.ts";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { createShop } from "./support/shop.ts";
import { SqliteWarehouse } from "./support/sqlite-warehouse.ts";

type KillKind = "statement" | "write";

test("a scan that is killed at random statements ends with the same facts as one that is not", async () => {
  await killAtRandom("statement", isSoak ? 8 : 3);
}, 120_000);

test("a scan that is killed at random points of its writes ends with the same facts as one that is not", async () => {
  await killAtRandom("write", isSoak ? 20 : 5);
}, 240_000);

async function killAtRandom(kind: KillKind, kills: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-killed-scan-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "shop.sqlite");
  createShop(file, 400);
  const [whole, killed] = [join(folder, "whole.sqlite"), join(folder, "killed.sqlite")];
  const points = (await scanWhole(file, whole))[kind];
  const random = numbers(11);
  for (let kill = 0; kill < kills; kill++) {
    for (const end of ["", "-wal", "-shm"]) rmSync(killed + end, { force: true });
    const point = Math.floor(random() * points);
    expect(await killAt(file, killed, kind, point), `killed at ${point} of ${points}`).toBe("SIGKILL");
    if (kill % 3 === 0) await killAt(file, killed, "statement", Math.floor(random() * 5));
    await scanWhole(file, killed);
    expect(contentsOf(killed), `killed at ${point} of ${points}`).toEqual(contentsOf(whole));
  }
}

/**
 * Scans without interruption. Returns the number of points at which the scan could be killed: the number of statements, and of bytes
 * written.
 */
async function scanWhole(file: string, factsFile: string): Promise<Record<KillKind, number>> {
  let statements = 0;
  const pass = () => void statements++;
  const warehouse = new SqliteWarehouse(file, { onStatement: pass });
  const facts = openFacts({ file: factsFile });
  await scan(warehouse, facts, { now: () => Date.UTC(2025, 0, 1), onProgress: pass });
  const write = statSync(`${factsFile}-wal`).size;
  facts.close();
  await warehouse.close();
  return { statement: statements, write };
}

/** Kills a scan at a point. Returns the signal that ended the scan. */
async function killAt(file: string, facts: string, kind: KillKind, point: number): Promise<unknown> {
  const program = join(import.meta.dirname, "scanning-process.ts");
  const execArgv = ["--conditions=@bridle/source"];
  const child = fork(program, [file, facts, kind, String(point)], { execArgv, stdio: "ignore" });
  const [, signal] = await once(child, "exit");
  return signal;
}

/** Returns the stored facts of the connection, without the file's version. */
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
