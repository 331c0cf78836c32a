import { expect, test } from "vitest";
import { openSimple, shop } from "./support/open-simple.ts";

const filters = { "crm.customers": "region = 'EU'" };

test.each([
  ["SELECT count(*) FROM crm.customers", 2n],
  ["SELECT count(*) FROM crm.customers WHERE region = 'US' OR 1 = 1", 2n],
  ["SELECT count(*) FROM crm.customers a JOIN crm.customers b ON 1 = 1", 4n],
  ["WITH c AS (SELECT * FROM crm.customers) SELECT count(*) FROM c", 2n],
  ["SELECT (SELECT count(*) FROM crm.customers)", 2n],
])("rows that a filter hides are not in %s", async (statement, expected) => {
  const { warehouse } = await openSimple({ filters });
  const { rows, filtered } = await warehouse.query(statement);
  expect(rows).toEqual([[expected]]);
  expect(filtered).toEqual(["crm.customers"]);
});

test("a filter on a masked column applies to its values", async () => {
  const { warehouse } = await openSimple({ filters: { "crm.customers": "email = 'ada@example.com'" } });
  const { rows, masked } = await warehouse.query("SELECT id, email FROM crm.customers");
  expect(rows).toEqual([[1n, expect.stringMatching(/^[0-9a-f]{16}$/)]]);
  expect(masked).toEqual(["crm.customers.email"]);
});

test("a statement without filtered tables says so", async () => {
  const { warehouse } = await openSimple({ filters });
  expect((await warehouse.query("SELECT id FROM orders")).filtered).toEqual([]);
});

test("the relation of a filtered table has its rows with their values, for the scan", async () => {
  const { warehouse, engine } = await openSimple({ filters });
  const relation = warehouse.relationOf({ schema: "crm", table: "customers" });
  const stream = engine.stream(`SELECT email FROM ${relation}`, { maxRows: 9, maxBytes: 999, timeoutMs: 999 });
  const batches: unknown[] = [];
  for await (const batch of stream) batches.push(...batch);
  expect(batches).toEqual([["ada@example.com"], ["cem@example.com"]]);
});

test.each([
  [{ "crm.customer": "region = 'EU'" }, "names a table that does not exist"],
  [{ "crm.customers": "regoin = 'EU'" }, "is not a condition of its table: It names regoin."],
])("the filter %j is refused when the connection is opened", async (wrong, message) => {
  await expect(openSimple({ filters: wrong })).rejects.toThrow(message);
});

test("an error of the engine quotes no value of a hidden row", async () => {
  const { warehouse } = await openSimple({ filters: { "hr.salaries": "amount < 5" } });
  const message = await warehouse
    .query("SELECT fail_with(90 || '000') FROM hr.salaries UNION SELECT fail_with(90 || '000')")
    .catch((error: Error) => error.message);
  expect(message).not.toContain("90000");
});

const view = { name: "main.v", rows: [{ region: "" }], view: `SELECT region FROM "crm/customers"` };

test.each([
  [{ filters }, "refused"],
  [{ filters, include: ["*"] }, "refused"],
  [{ filters, include: ["main", "crm"] }, "refused"],
  [{ filters, include: ["*", "crm.v"] }, "refused"],
  [{ filters, include: ["crm", "main.v"] }, 3],
  [{ filters, views: ["main.v"] }, 3],
  [{ filters, views: ["main"], exclude: ["crm.x"] }, 3],
  [{ filters, views: ["crm"] }, "refused"],
  [{ include: ["main"] }, "refused"],
  [{ include: ["main"], views: ["main.*"] }, 3],
  [{ exclude: ["hr"] }, "refused"],
  [{ filters: { ...filters, "main.v": "region = 'US'" } }, 1],
  [{}, 3],
])("with the settings %j, a view over a filtered table gives: %s", async (settings, expected) => {
  const { warehouse } = await openSimple(settings, [...shop, view]);
  const read = warehouse.query("SELECT * FROM v").then(
    ({ rows }) => rows.length,
    () => "refused",
  );
  expect(await read).toBe(expected);
  const { tables } = await warehouse.readStructure();
  expect(tables.some(({ table }) => table === "v")).toBe(expected !== "refused");
  expect(warehouse.isInScope({ schema: "main", table: "v" })).toBe(expected !== "refused");
});

test("wrong settings are refused with their key", async () => {
  await expect(openSimple({ limits: { rows: 0 } })).rejects.toThrow("context.connections.shop.limits.rows");
  await expect(openSimple({ include: ["a..b"] })).rejects.toThrow("context.connections.shop.include.0");
  await expect(openSimple({ sensitive: ["a.b.c.d"] })).rejects.toThrow("context.connections.shop.sensitive.0");
  await expect(openSimple({ filters: { crm: "1 = 1" } })).rejects.toThrow("context.connections.shop.filters");
});
