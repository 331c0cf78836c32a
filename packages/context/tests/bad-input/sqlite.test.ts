import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll } from "vitest";
import { testBadInput } from "./bad-input.ts";

const folder = mkdtempSync(join(tmpdir(), "bridle-bad-sqlite-"));
const config = (name: string, others: object = {}) => ({ type: "sqlite", file: join(folder, name), ...others });
let writer: DatabaseSync;

beforeAll(() => {
  const shop = new DatabaseSync(join(folder, "shop.db"));
  shop.exec("CREATE TABLE orders (id INTEGER, city TEXT); INSERT INTO orders VALUES (1, 'Ulm'), (2, 'Ulm')");
  shop.close();
  const view = new DatabaseSync(join(folder, "view.db"));
  view.exec("CREATE TABLE orders (id INTEGER); CREATE TABLE gone (a); CREATE VIEW broken AS SELECT a FROM gone");
  view.exec("DROP TABLE gone");
  view.close();
  writeFileSync(join(folder, "encrypted.db"), Buffer.alloc(8_192, 0xa7));
  writer = new DatabaseSync(join(folder, "locked.db"));
  writer.exec("CREATE TABLE orders (id INTEGER); BEGIN EXCLUSIVE");
});
afterAll(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

testBadInput("sqlite", {
  "a wrong password": { config: () => config("encrypted.db"), code: "config", message: /or it is encrypted\. Check/ },
  "an unreachable host": { config: () => config("nothing.db"), code: "config", message: /there is no such file/ },
  "a host that accepts and never answers": "SQLite reads a file of this machine.",
  "a refused TLS connection": "SQLite reads a file of this machine.",
  "a missing schema": {
    config: () => config("shop.db", { include: ["main", "sales"] }),
    tables: ["orders"],
    problem: /^There is no table that can be read in the schema sales\./,
  },
  "a table without permission": "SQLite has no permissions within a file.",
  "a view that fails": {
    config: () => config("view.db"),
    tables: ["orders"],
    problem: /^It cannot be read: no such table: main\.gone\.$/,
  },
  "a locked database": { config: () => config("locked.db"), code: "timeout", message: /locked by another program/ },
  "a connection that is lost in mid-scan": "SQLite reads a file of this machine.",
  "a server that is too old": "SQLite is a part of Node.js.",
});
