import { expect, test } from "vitest";
import { StatementRefusedError } from "../src/port/errors.ts";
import type { TableScope } from "../src/warehouse/warehouse.ts";
import { openSimple } from "./support/open-simple.ts";

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => "allowed",
    (error: unknown) => (error instanceof StatementRefusedError ? error.reason : error),
  );

test.each<[TableScope, readonly string[]]>([
  [{}, ["crm.customers", "hr.salaries", "main.orders", "main.tmp_1"]],
  [{ include: ["main"] }, ["main.orders", "main.tmp_1"]],
  [{ include: ["*.orders", "CRM"] }, ["crm.customers", "main.orders"]],
  [{ exclude: ["hr", "*.tmp_*"] }, ["crm.customers", "main.orders"]],
  [{ include: ["main"], exclude: ["main.tmp_*"] }, ["main.orders"]],
])("with the scope %j of the connection, the structure has the tables %j", async (scope, expected) => {
  const { warehouse } = await openSimple(scope);
  const { tables } = await warehouse.readStructure();
  expect(tables.map(({ schema, table }) => `${schema}.${table}`).toSorted()).toEqual(expected);
});

test("a caller can narrow the scope of the connection, and not widen it", async () => {
  const { warehouse } = await openSimple({ exclude: ["hr"] });
  const scope = { include: ["hr", "crm", "main.orders"], exclude: ["crm"] };
  const { tables, problems } = await warehouse.readStructure({ scope });
  expect(tables.map(({ table }) => table)).toEqual(["orders"]);
  expect(problems).toEqual([]);
  expect(warehouse.isInScope({ schema: "hr", table: "salaries" }, scope)).toBe(false);
  expect(warehouse.isInScope({ schema: "crm", table: "customers" }, scope)).toBe(false);
  expect(warehouse.isInScope({ schema: "crm", table: "customers" })).toBe(true);
  expect(await refusal(warehouse.query("SELECT * FROM hr.salaries", { scope }))).toBe("outside_scope");
  expect(await refusal(warehouse.query("SELECT * FROM crm.customers", { scope }))).toBe("outside_scope");
  expect(await refusal(warehouse.query("SELECT * FROM orders", { scope }))).toBe("allowed");
});

test.each([
  ["SELECT * FROM hr.salaries", "outside_scope"],
  ["SELECT * FROM shop.hr.salaries", "outside_scope"],
  ["SELECT * FROM HR.Salaries", "outside_scope"],
  ["SELECT * FROM hr.nothing_there", "outside_scope"],
  ["SELECT * FROM salaries", "outside_scope"],
  ["SELECT 1 FROM orders WHERE 1 = (SELECT amount FROM hr.salaries)", "outside_scope"],
  ["WITH x AS (SELECT * FROM hr.salaries) SELECT * FROM x", "outside_scope"],
  ["SELECT * FROM sqlite_master", "outside_scope"],
  ["SELECT * FROM pg_catalog.pg_class", "outside_scope"],
  ["SELECT * FROM information_schema.tables", "outside_scope"],
  ["SELECT * FROM ordes", "unknown_name"],
  ["SELECT * FROM crm.customer", "unknown_name"],
  ["SELECT * FROM other.crm.customers", "unknown_name"],
  ["SELECT * FROM crm.customers", "allowed"],
  ["SELECT * FROM shop.crm.customers", "allowed"],
  ["SELECT * FROM customers", "allowed"],
  ["WITH salaries AS (SELECT 1 AS n) SELECT * FROM salaries", "allowed"],
])("%s is %s for a connection without the schema hr", async (statement, expected) => {
  const { warehouse } = await openSimple({ exclude: ["hr"] });
  expect(await refusal(warehouse.query(statement))).toBe(expected);
});

test("whether a table outside of the scope exists is not said", async () => {
  const { warehouse } = await openSimple({ include: ["main"] });
  const messages = await Promise.all(
    ["hr.salaries", "hr.salariez"].map((name) =>
      warehouse.query(`SELECT * FROM ${name}`).catch((error: Error) => error.message.replace(name, "X")),
    ),
  );
  expect(messages[0]).toBe("You may not read X: it is outside of the scope of the connection shop.");
  expect(messages[1]).toBe(messages[0]);
});

test("the refusal of an unknown table names the nearest tables in scope only", async () => {
  const { warehouse } = await openSimple({ exclude: ["crm"] }, [
    { name: "main.orders", rows: [{ id: 1n }] },
    { name: "main.order_lines", rows: [{ id: 1n }] },
    { name: "crm.orders2", rows: [{ id: 1n }] },
  ]);
  const error = await warehouse.query("SELECT * FROM order").catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    reason: "unknown_name",
    nearest: ["main.orders", "main.order_lines"],
    message: "There is no table order. Did you mean main.orders, main.order_lines?",
  });
});

test("a name that two schemas have is refused, unless the default schema has it", async () => {
  const { warehouse } = await openSimple({}, [
    { name: "a.notes", rows: [{ v: "a" }] },
    { name: "b.notes", rows: [{ v: "b" }] },
    { name: "b.facts", rows: [{ v: "b" }] },
    { name: "main.facts", rows: [{ v: "main" }] },
  ]);
  await expect(warehouse.query("SELECT * FROM notes")).rejects.toThrow(
    "The name notes is ambiguous. Write one of a.notes, b.notes.",
  );
  expect((await warehouse.query("SELECT * FROM facts")).rows).toEqual([["main"]]);
});

test("the refusal of an unknown column names the nearest columns of the tables that were read", async () => {
  const { warehouse } = await openSimple();
  const near = await warehouse.query("SELECT totl FROM orders").catch((caught: unknown) => caught);
  expect(near).toMatchObject({
    reason: "unknown_name",
    nearest: ["total"],
    message: "There is no column totl in main.orders. Did you mean total?",
  });
  await expect(warehouse.query("SELECT o.zzz FROM orders o")).rejects.toThrow(
    "There is no column zzz in main.orders. The columns are: id, buyer, total.",
  );
});

test("a table that was created after the structure was read is found", async () => {
  const { warehouse, engine } = await openSimple();
  await warehouse.readStructure();
  engine.add({ name: "main.news", rows: [{ id: 1n }] });
  await warehouse.readStructure();
  expect((await warehouse.query("SELECT * FROM news")).rows).toEqual([[1n]]);
});

test("only schemas that the scope names are read, and all of them if one is spelled otherwise", async () => {
  const { engine, warehouse } = await openSimple({ include: ["main", "crm.customers"] });
  await warehouse.readStructure();
  const other = await openSimple({ include: ["MAIN"] });
  const { tables } = await other.warehouse.readStructure();
  expect(engine.asked).toEqual([["main", "crm"]]);
  expect(other.engine.asked).toEqual([["MAIN"], undefined]);
  expect(tables.map(({ table }) => table)).toEqual(["orders", "tmp_1"]);
});

test("a result is limited by the lower of the limits of the connection and the caller", async () => {
  const { warehouse } = await openSimple({ limits: { rows: 2 } });
  const count = async (maxRows?: number) => {
    const { rows, truncated } = await warehouse.query("SELECT id FROM crm.customers", { limits: { maxRows } });
    return [rows.length, truncated];
  };
  expect(await count()).toEqual([2, "rows"]);
  expect(await count(1)).toEqual([1, "rows"]);
  expect(await count(100)).toEqual([2, "rows"]);
});

test("a result names the tables that the statement read", async () => {
  const { warehouse } = await openSimple();
  const { tables } = await warehouse.query("SELECT count(*) FROM orders o JOIN crm.customers c ON o.buyer = c.email");
  expect(tables).toEqual([
    { schema: "main", table: "orders" },
    { schema: "crm", table: "customers" },
  ]);
});
