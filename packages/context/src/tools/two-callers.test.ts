/** Two callers with different scopes get different results from every tool. */
import type { TableScope } from "@bridle/warehouse";
import { afterAll, expect, test } from "vitest";
import { MemoryFacts, makeJoin, makeTable } from "../facts/memory-facts-for-tests.ts";
import type { NotesOfFiles } from "../files/table-notes.ts";
import { ShopForTests } from "./shop-for-tests.ts";

const shop = new ShopForTests(`
  CREATE TABLE bonuses (salary_id INTEGER, code TEXT);
  INSERT INTO bonuses VALUES (1, 'gold-9');
  CREATE VIEW pay AS SELECT amount FROM salaries;`);
afterAll(() => shop.close());

const tables = [
  makeTable("shop.main.customers", ["id", "city", "note"]),
  makeTable("shop.main.orders", ["id", "customer_id", "status"]),
  makeTable("shop.main.salaries", ["id", "amount"]),
  makeTable("shop.main.bonuses", ["salary_id", "code"]),
  makeTable("shop.main.pay", ["amount"], { kind: "view" }),
];
const joins = [
  makeJoin("shop.main.orders.customer_id", "shop.main.customers.id"),
  makeJoin("shop.main.bonuses.salary_id", "shop.main.salaries.id"),
];
const facts = new MemoryFacts(tables, joins);
const callers = {
  sales: shop.tools({ facts, connections: [{ name: "shop", caller: { include: ["main.orders", "main.customers"] } }] }),
  pay: shop.tools({ facts, connections: [{ name: "shop", caller: { exclude: ["main.orders", "main.customers"] } }] }),
};
const salesNames = /orders|customers|Berlin|paid/;
const payNames = /salaries|bonuses|gold-9|5000/;

test.each([
  ["search_context", { query: "orders of customers, salaries and bonuses" }],
  ["search_context", { query: "id" }],
  ["describe", {}],
])("%s with %j shows each caller its own tables and joins", async (name, input) => {
  const [sales, pay] = [await callers.sales.call(name, input), await callers.pay.call(name, input)];
  expect(JSON.stringify(sales)).toMatch(salesNames);
  expect(JSON.stringify(sales)).not.toMatch(payNames);
  expect(JSON.stringify(pay)).toMatch(payNames);
  expect(JSON.stringify(pay)).not.toMatch(salesNames);
});

test("a table and its joins are described to its caller only, and names near a wrong one are the caller's own", async () => {
  for (const [name, isOfPay] of [
    ["shop.main.orders", false],
    ["shop.main.salaries", true],
  ] as const) {
    const [mine, other] = isOfPay ? [callers.pay, callers.sales] : [callers.sales, callers.pay];
    expect((await mine.call("describe", { name })).markdown).toContain("joins:");
    expect(await other.call("describe", { name })).toMatchObject({ isError: true, structured: { problem: "unknown" } });
  }
  for (const name of ["salarie", "bonusses", "order", "custmers"]) {
    const [sales, pay] = [await callers.sales.call("describe", { name }), await callers.pay.call("describe", { name })];
    expect(JSON.stringify(sales.structured)).not.toMatch(payNames);
    expect(JSON.stringify(pay.structured)).not.toMatch(salesNames);
  }
});

test("a join to a table outside of the scope is not shown", async () => {
  const caller = { include: ["main.orders", "main.salaries", "main.bonuses"] };
  const some = shop.tools({ facts, connections: [{ name: "shop", caller }] });
  expect((await some.call("describe", { name: "orders" })).markdown).not.toContain("joins:");
  expect(JSON.stringify(await some.call("search_context", { query: "customer" }))).not.toContain("main.customers");
});

test("a statement reads the tables of its caller only, also in joins, subqueries, views and refusals", async () => {
  const run = (who: keyof typeof callers, statement: string) => callers[who].call("run_sql", { statement });
  expect(await run("sales", "SELECT count(*) FROM orders")).not.toHaveProperty("isError");
  expect(await run("pay", "SELECT amount FROM salaries")).not.toHaveProperty("isError");
  for (const [who, statement] of [
    ["sales", "SELECT amount FROM salaries"],
    ["sales", "SELECT * FROM orders WHERE id IN (SELECT id FROM salaries)"],
    ["sales", "SELECT * FROM orders JOIN bonuses ON true"],
    ["sales", "WITH s AS (SELECT * FROM main.salaries) SELECT * FROM s"],
    ["sales", "SELECT (SELECT max(amount) FROM salaries) AS n"],
    ["sales", "SELECT amount FROM pay"],
    ["pay", "SELECT status FROM orders UNION ALL SELECT amount FROM salaries"],
  ] as const) {
    expect(await run(who, statement), statement).toMatchObject({
      isError: true,
      structured: { problem: "unknown_name" },
    });
  }
  for (const statement of ["SELECT * FROM salarie", "SELECT * FROM bonusses"]) {
    expect(JSON.stringify((await run("sales", statement)).structured)).not.toMatch(payNames);
  }
});

test("a view is known to those only who may see what it shows", async () => {
  const reads = [{ schema: "main", table: "salaries" }];
  const view = makeTable("shop.main.pay", ["amount"], { kind: "view", reads });
  const known = new MemoryFacts([...tables.slice(0, -1), view], joins);
  const seenBy = async (caller: TableScope) => {
    const own = shop.tools({ facts: known, connections: [{ name: "shop", caller }] });
    const described = await own.call("describe", { name: "shop.main.pay" });
    expect(JSON.stringify(await own.call("describe", {})).includes("main.pay")).toBe(described.isError !== true);
    expect(JSON.stringify(await own.call("search_context", { query: "pay" })).includes("main.pay")).toBe(
      described.isError !== true,
    );
    return described.isError !== true;
  };
  expect(await seenBy({})).toBe(true);
  expect(await seenBy({ exclude: ["main.orders"] })).toBe(true);
  expect(await seenBy({ exclude: ["main.salaries"] })).toBe(false);
  expect(await seenBy({ include: ["main.pa*"] })).toBe(false);
  expect(await seenBy({ include: ["main.pa*", "main.salaries"] })).toBe(true);
  expect(await seenBy({ include: ["main.pay"], exclude: ["main.salaries"] })).toBe(true);
});

test("a view is as hidden as a table that it shows", async () => {
  for (const reads of [[{ schema: "main", table: "salaries" }], "unknown"] as const) {
    const known = new MemoryFacts([makeTable("shop.main.pay", ["amount"], { kind: "view", reads })], []);
    const hide = (id: string) => ({ tables: new Map([[id, { hidden: true }]]), joins: [], problems: [] });
    const isShown = async (notes: NotesOfFiles) =>
      (await shop.tools({ facts: known, notes }).call("describe", { name: "shop.main.pay" })).isError !== true;
    expect(await isShown(hide("shop.main.orders"))).toBe(reads !== "unknown");
    expect(await isShown(hide("shop.main.salaries"))).toBe(false);
    expect(await isShown(hide("other.main.salaries"))).toBe(true);
  }
});

test("a value is found in the tables of its caller only, also if another table is named", async () => {
  const find = async (who: keyof typeof callers, value: string, table?: string) =>
    Object((await callers[who].call("find_value", { value, table })).structured).found ?? [];
  expect(await find("sales", "Berlin")).toHaveLength(1);
  expect(await find("pay", "Berlin")).toEqual([]);
  expect(await find("pay", "gold-9")).toHaveLength(1);
  expect(await find("sales", "gold-9")).toEqual([]);
  expect(await find("sales", "gold-9", "bonuses")).toEqual([]);
});
