import { openDatabase } from "@bridle/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryFacts, makeJoin, makeTable } from "../facts/memory-facts-for-tests.ts";
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
  expect(markdown).toContain("Tables have changed since the scan: see the data.");
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

test("the result of a statement that multiplies rows says which table repeats them", async () => {
  const profiled = (name: string, rows: number, distinct: number) => ({
    name,
    profile: { rows, nulls: 0, distinct, shapes: [], frequent: [] },
  });
  const counts = (filled: number, distinct: number) => ({ rows: filled, filled, distinct, isExact: true });
  const facts = new MemoryFacts(
    [
      makeTable("shop.main.customers", [profiled("id", 2, 2), profiled("city", 2, 2), "email", "note"], {
        key: { columns: ["id"], declared: true, score: 1 },
      }),
      makeTable("shop.main.orders", [profiled("id", 4, 4), profiled("customer_id", 4, 3), "status", "total"], {
        key: { columns: ["id"], declared: true, score: 1 },
      }),
    ],
    [
      makeJoin("shop.main.orders.customer_id", "shop.main.customers.id", {
        uniqueness: { from: counts(4, 3), to: counts(2, 2) },
      }),
    ],
  );
  const tools = shop.tools({ facts });
  const statement = "SELECT sum(c.id) FROM customers c JOIN orders o ON o.customer_id = c.id";
  const { markdown, structured } = await tools.call("run_sql", { statement });
  expect(markdown).toContain(
    "warning: This statement repeats rows of customers: orders.customer_id is not unique (4 rows, 3 values)",
  );
  expect(markdown).toContain("Rows are counted more than once: see the warning in the data.");
  expect(structured).toMatchObject({
    multiplied: [{ aggregate: "sum", table: "shop.main.customers", by: { rows: 4, values: 3, certainty: "certain" } }],
  });
  const right = "SELECT sum(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id";
  const plain = await tools.call("run_sql", { statement: right });
  expect(plain.markdown).not.toContain("warning:");
  expect(plain.structured).not.toHaveProperty("multiplied");
});

test("describe shows a join towards columns that are not unique as many-to-many, and one that was not measured as such", async () => {
  const counts = (filled: number, distinct: number) => ({ rows: filled, filled, distinct, isExact: true });
  const describeWith = async (join: Parameters<typeof makeJoin>[2]) => {
    const joins = [makeJoin("shop.main.orders.customer_id", "shop.main.customers.id", join)];
    const facts = new MemoryFacts(shopTables, joins);
    return (await shop.tools({ facts }).call("describe", { name: "orders" })).markdown;
  };
  const uniqueness = { from: counts(4, 3), to: counts(12, 10) };
  const many = await describeWith({ relationship: "many-to-many", uniqueness });
  expect(many).toContain("many-to-many");
  expect(many).toContain("is not unique (12 rows, 10 values): the join repeats rows");
  const old = await describeWith({ uniqueness: undefined });
  expect(old).not.toContain("many-to-one");
  expect(old).toContain("it was not measured whether shop.main.customers.id is unique");
});
