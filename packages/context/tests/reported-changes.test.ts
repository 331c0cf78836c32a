import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { SqliteWarehouse } from "./support/sqlite-warehouse.ts";

const rows = `
  CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, region TEXT);
  CREATE TABLE visits (id INTEGER PRIMARY KEY, town TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO orders SELECT i, CASE WHEN i % 3 THEN 'paid' ELSE 'open' END, 'R' || (i % 4) FROM n;
  INSERT INTO visits SELECT id, 'Quillmoor' || (id % 2) FROM orders;`;

function open() {
  const folder = mkdtempSync(join(tmpdir(), "bridle-changes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const connect = (filters: Readonly<Record<string, string>> = {}) => {
    const warehouse = new SqliteWarehouse(join(folder, "w.db"), { filters });
    onTestFinished(() => warehouse.close());
    return warehouse;
  };
  return { folder, connect, factsFile: join(folder, "facts.sqlite") };
}

test("another row filter is no drift", async () => {
  const { connect, factsFile } = open();
  const facts = openFacts({ file: factsFile });
  onTestFinished(() => facts.close());
  const warehouse = connect();
  warehouse.database.exec(rows);
  await scan(warehouse, facts);
  const { drift, measured } = await scan(connect({ orders: "region = 'R1'" }), facts);
  expect({ drift, measured }).toEqual({ drift: [], measured: 1 });
  expect(facts.reader.table("w.main.orders")?.rows).toBe(75);
});

test("no value of a table that the scope leaves out stays in the file of the facts", async () => {
  const { connect, factsFile } = open();
  const facts = openFacts({ file: factsFile });
  const warehouse = connect();
  warehouse.database.exec(rows);
  await scan(warehouse, facts);
  warehouse.hidden.add("visits");
  await scan(warehouse, facts);
  facts.close();
  expect(readFileSync(factsFile).includes("Quillmoor")).toBe(false);
  expect(readFileSync(factsFile).includes("paid")).toBe(true);
});

test("old values in free pages of a file from before are cleared when it is opened for writing", async () => {
  const { connect, factsFile } = open();
  const facts = openFacts({ file: factsFile });
  const warehouse = connect();
  warehouse.database.exec(rows);
  await scan(warehouse, facts);
  facts.close();
  const before = new DatabaseSync(factsFile);
  before.exec("PRAGMA secure_delete = OFF; PRAGMA auto_vacuum = NONE; VACUUM;");
  before.exec(
    "CREATE TABLE old (value TEXT); INSERT INTO old VALUES (printf('%.*c', 9000, 'x') || 'Thistleby'); DROP TABLE old;",
  );
  before.close();
  expect(readFileSync(factsFile).includes("Thistleby")).toBe(true);
  const again = openFacts({ file: factsFile });
  await scan(warehouse, again);
  again.close();
  expect(readFileSync(factsFile).includes("Thistleby")).toBe(false);
  expect(readFileSync(factsFile).includes("paid")).toBe(true);
});

test("a budget that is too small for a second scan reports that the facts stay", async () => {
  const { connect, factsFile } = open();
  const facts = openFacts({ file: factsFile });
  onTestFinished(() => facts.close());
  const warehouse = connect();
  warehouse.database.exec(rows);
  await scan(warehouse, facts);
  const { missing } = await scan(warehouse, facts, { refresh: true, budget: { timeMs: 0 } });
  expect(missing.join(" ")).toContain("The facts of the last scan stay");
  expect(missing.join(" ")).not.toContain("Nothing was scanned");
});
