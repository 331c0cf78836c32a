import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { createShop } from "./support/shop.ts";
import { SqliteWarehouse } from "./support/sqlite-warehouse.ts";

test.each([
  ["rows are added", "INSERT INTO orders SELECT 90000 + rowid, customer_id, ordered_on, 'late' FROM orders LIMIT 60"],
  ["rows have no parent any more", "DELETE FROM customers WHERE rowid % 4 = 0"],
  ["a key is repeated", "INSERT INTO customers SELECT * FROM customers WHERE rowid < 20"],
  [
    "a key has other values",
    `CREATE TEMP TABLE c AS SELECT * FROM customers LIMIT 50; DELETE FROM customers;
      INSERT INTO customers SELECT * FROM c; UPDATE customers SET customer_id = customer_id + 100000`,
  ],
  ["a column is renamed", "ALTER TABLE orders RENAME COLUMN customer_id TO buyer"],
  ["a column is added", "ALTER TABLE order_lines ADD COLUMN customer_id INTEGER DEFAULT 105"],
  ["a column is dropped", "ALTER TABLE order_lines DROP COLUMN line_no"],
  ["a table is renamed", "ALTER TABLE customers RENAME TO people"],
  ["a table with the same key is added", "CREATE TABLE clients AS SELECT * FROM customers"],
  ["a table is dropped", "DROP TABLE order_lines"],
])("if %s, the next scan finds the keys and joins of a first one, with fewer queries", async (_, change) => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-changed-tables-"));
  createShop(join(folder, "shop.sqlite"));
  const warehouse = new SqliteWarehouse(join(folder, "shop.sqlite"));
  const [facts, fresh] = ["facts", "fresh"].map((name) => openFacts({ file: join(folder, `${name}.sqlite`) }));
  onTestFinished(async () => {
    await warehouse.close();
    facts?.close();
    fresh?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  if (facts === undefined || fresh === undefined) throw new Error("The facts are missing.");
  const now = () => Date.UTC(2025, 0, 1);
  await scan(warehouse, facts, { now });
  warehouse.database.exec(change);
  const report = await scan(warehouse, facts, { now });
  const first = await scan(warehouse, fresh, { now });
  expect([...facts.reader.tables()]).toEqual([...fresh.reader.tables()]);
  expect(facts.reader.joins()).toEqual(fresh.reader.joins());
  expect(report.measured).toBeLessThan(first.measured);
  expect(report.queries).toBeLessThan(first.queries);
});
