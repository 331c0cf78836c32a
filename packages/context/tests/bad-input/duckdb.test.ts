import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { runPlainly } from "../../../warehouse/tests/duckdb/database.ts";
import { testBadInput } from "./bad-input.ts";

const folder = mkdtempSync(join(tmpdir(), "bridle-bad-duckdb-"));
const config = (name: string, others: object = {}) => ({ type: "duckdb", file: join(folder, name), ...others });

/** The program of another process that writes to the file. */
const writes = `require("@duckdb/node-api").DuckDBInstance.create(process.argv[1]).then((instance) => {
  setInterval(() => instance, 1000);
  process.send("open");
});`;
let writer: ReturnType<typeof spawn> | undefined;

beforeAll(async () => {
  const orders = "CREATE TABLE orders (id INTEGER, city VARCHAR)";
  await runPlainly(join(folder, "shop.db"), orders, "INSERT INTO orders VALUES (1, 'Ulm'), (2, 'Ulm')");
  await runPlainly(
    join(folder, "view.db"),
    orders,
    "CREATE TABLE gone (a INTEGER)",
    "CREATE VIEW broken AS SELECT a FROM gone",
    "DROP TABLE gone",
  );
  await runPlainly(join(folder, "locked.db"), orders);
  const cwd = join(import.meta.dirname, "../../../warehouse/tests/duckdb");
  writer = spawn(process.execPath, ["-e", writes, join(folder, "locked.db")], {
    cwd,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await once(writer, "message");
});
afterAll(async () => {
  if (writer !== undefined && writer.exitCode === null) {
    const ended = once(writer, "exit");
    writer.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

testBadInput("duckdb", {
  "a wrong password": "A file of DuckDB has no password here: an encrypted one is refused.",
  "an unreachable host": { config: () => config("nothing.db"), code: "config", message: /does not exist\. Correct/ },
  "a host that accepts and never answers": "DuckDB reads a file of this machine.",
  "a refused TLS connection": "DuckDB reads a file of this machine.",
  "a missing schema": {
    config: () => config("shop.db", { include: ["main", "sales"] }),
    tables: ["orders"],
    problem: /^There is no table that can be read in the schema sales\./,
  },
  "a table without permission": "DuckDB has no permissions within a file.",
  "a view that fails": { config: () => config("view.db"), tables: ["orders"], problem: /gone/ },
  "a locked database": { config: () => config("locked.db"), code: "network", message: /is locked by the process \d+/ },
  "a connection that is lost in mid-scan": "DuckDB reads a file of this machine.",
  "a server that is too old": "DuckDB is the installed package, and reads files of all versions before.",
});
