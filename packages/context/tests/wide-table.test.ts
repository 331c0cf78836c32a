import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isSoak } from "../../../tests/support/soak.ts";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { SqliteWarehouse } from "./support/sqlite-warehouse.ts";

test("a table of hundreds of columns is asked about a bounded number of times, first where names speak for a link", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-wide-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const warehouse = new SqliteWarehouse(join(folder, "shop.db"));
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  onTestFinished(async () => {
    facts.close();
    await warehouse.close();
  });
  const columns = Array.from({ length: isSoak ? 1_000 : 200 }, (_, at) => `m${at} INTEGER`);
  const values = columns.map((_, at) => `(n * ${2 * at + 7}) % 4001`);
  const numbers = (rows: number) =>
    `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${rows})`;
  warehouse.database.exec(`
    CREATE TABLE customers (code INTEGER PRIMARY KEY, label TEXT);
    ${numbers(9_000)} INSERT INTO customers SELECT n * 3, 'c' || n FROM c;
    CREATE TABLE wide (id INTEGER PRIMARY KEY, ${columns.join(", ")}, customer_code INTEGER);
    ${numbers(3_000)} INSERT INTO wide SELECT n, ${values.join(", ")}, (n % 9000 + 1) * 3 FROM c;
  `);
  const report = await scan(warehouse, facts, { sampleRows: 400 });
  expect(report.queries).toBeLessThan(150);
  expect(facts.reader.joins().map(({ from, to }) => [from.columns, to.columns])).toContainEqual([
    ["customer_code"],
    ["code"],
  ]);
});
