import { openDatabase } from "@bridle/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryFacts, makeTable } from "../facts/memory-facts-for-tests.ts";
import { ShopForTests, shopTables } from "./shop-for-tests.ts";

let shop: ShopForTests;
beforeAll(() => {
  shop = new ShopForTests();
});
afterAll(() => shop.close());

const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

test("a statement that takes long reports its progress until its caller ends it", async () => {
  const caller = new AbortController();
  const messages: string[] = [];
  const progress = (message: string) => {
    messages.push(message);
    caller.abort(new Error("enough"));
  };
  const call = shop.tools().call("run_sql", { statement: endless }, { signal: caller.signal, progress });
  await expect(call).rejects.toThrow();
  expect(messages).toEqual([expect.stringMatching(/^The statement runs on shop for \d+ s\.$/)]);
});

test("the result of a statement says which tables have changed since the scan", async () => {
  const facts = new MemoryFacts([
    makeTable("shop.main.orders", ["id", "customer_id", "status", "discount"]),
    makeTable("shop.main.customers", ["id", "email", "city", "note"]),
  ]);
  const statement = "SELECT count(*) FROM orders JOIN customers ON customers.id = customer_id";
  const { markdown, structured } = await shop.tools({ facts }).call("run_sql", { statement });
  expect(markdown).toContain("shop.main.orders: ");
  expect(markdown).toContain("gone since the scan: discount");
  expect(markdown).toContain("new since the scan: total");
  expect(markdown).toContain("Tables have changed since the scan, as the data says.");
  const drift = [{ table: "shop.main.orders", gone: ["discount"], added: ["total"], isGone: false }];
  expect(structured).toMatchObject({ rows: [[3]], drift });
});

test("a result names no change of a column that a file hides, or of a table that did not change", async () => {
  const facts = new MemoryFacts([makeTable("shop.main.customers", ["id", "email", "city"]), ...shopTables.slice(1)]);
  const columns = { note: { hidden: true } };
  const notes = { tables: new Map([["shop.main.customers", { columns }]]), joins: [], problems: [] };
  const tools = shop.tools({ facts, notes });
  for (const table of ["customers", "orders"]) {
    const { markdown, structured } = await tools.call("run_sql", { statement: `SELECT count(*) FROM ${table}` });
    expect(markdown).not.toContain("since the scan: ");
    expect(structured).not.toHaveProperty("drift");
  }
});

test("a result does not wait long for a database that does not say its structure", async () => {
  const slow = new ShopForTests();
  const openWarehouse = async () => {
    const warehouse = await slow.open();
    await warehouse.query("SELECT 1");
    warehouse.readStructure = () => new Promise(() => {});
    return warehouse;
  };
  const { structured } = await slow.tools({ openWarehouse }).call("run_sql", { statement: "SELECT id FROM salaries" });
  expect(structured).toMatchObject({ rows: [[1]] });
  await slow.close();
});

test("the result of a statement on a table that was added after the scan is no error", async () => {
  const own = new ShopForTests();
  const tools = own.tools();
  const database = openDatabase(`${own.folder}/shop.db`);
  database.exec("CREATE TABLE returns (id INTEGER); INSERT INTO returns VALUES (1)");
  database.close();
  expect((await tools.call("run_sql", { statement: "SELECT id FROM returns" })).structured).toMatchObject({
    rows: [[1]],
  });
  await own.close();
});
