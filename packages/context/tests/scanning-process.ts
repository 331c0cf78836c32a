/**
 * Scans a SQLite file and is killed before the end, for a test: with `node scanning-process.ts WAREHOUSE FACTS statement NUMBER` at a
 * statement or a progress report, and with `… write BYTES` during a write, when the log of the facts has that length.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { SqliteWarehouse } from "./support/sqlite-warehouse.ts";

const [, , file = "", factsFile = "", kind = "", point = ""] = process.argv;
let left = kind === "statement" ? Number(point) : Number.POSITIVE_INFINITY;
const pass = () => {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
};
if (kind === "write") {
  const workerData = { file: `${factsFile}-wal`, bytes: Number(point) };
  await once(new Worker(new URL("kill-in-write.ts", import.meta.url), { workerData }), "message");
}
const warehouse = new SqliteWarehouse(file, { onStatement: pass });
const facts = openFacts({ file: factsFile });
await scan(warehouse, facts, { now: () => Date.UTC(2025, 0, 1), onProgress: pass });
