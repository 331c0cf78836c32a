/** Reads a SQLite file, kills the reading process before it has finished, and prints the error: `node reading-program.ts FILE`. */
import { execFileSync } from "node:child_process";
import { sqliteConnector } from "../../src/connectors/sqlite/sqlite-connector.ts";

const [, , file = ""] = process.argv;
const connection = await sqliteConnector.connect({ type: "sqlite", file }, { projectDir: "/" });
const endless = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
const stream = connection.stream(endless, { maxRows: 1, maxBytes: 1_000, timeoutMs: 300_000 });
await stream.columns();
const rows = stream[Symbol.asyncIterator]().next();
rows.catch((error: unknown) => console.log(String(error)));
const processes = execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" }).split("\n");
const [pid = ""] = processes.flatMap((line) => {
  const [own = "", parent, ...program] = line.trim().split(/\s+/);
  return Number(parent) === process.pid && program.join(" ").includes("sqlite-process") ? [own] : [];
});
process.kill(Number(pid), "SIGKILL");
await rows.catch(() => {});
await connection.close();
