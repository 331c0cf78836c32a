import { StatementRefusedError } from "@bridle/sql";
import { expect, test } from "vitest";
import type { TableScope } from "../src/warehouse/warehouse.ts";
import { openSimple, shop } from "./support/open-simple.ts";

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
  expect(await refusal(warehouse.query("SELECT * FROM hr.salaries", { scope }))).toBe("unknown_name");
  expect(await refusal(warehouse.query("SELECT * FROM crm.customers", { scope }))).toBe("unknown_name");
  expect(await refusal(warehouse.query("SELECT * FROM orders", { scope }))).toBe("allowed");
});

test.each([
  ["SELECT * FROM hr.salaries", "unknown_name"],
  ["SELECT * FROM shop.hr.salaries", "unknown_name"],
  ["SELECT * FROM HR.Salaries", "unknown_name"],
  ["SELECT * FROM hr.nothing_there", "unknown_name"],
  ["SELECT * FROM salaries", "unknown_name"],
  ["SELECT 1 FROM orders WHERE 1 = (SELECT amount FROM hr.salaries)", "unknown_name"],
  ["WITH x AS (SELECT * FROM hr.salaries) SELECT * FROM x", "unknown_name"],
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

const hiddenTables = [
  { name: "main.orders", rows: [{ id: 1n }] },
  { name: "main.secret_orders", rows: [{ id: 1n }] },
  { name: "shop.stock", rows: [{ id: 1n }] },
  { name: "hr.Orders", rows: [{ id: 1n }] },
  { name: "hr.salaries", rows: [{ amount: 9n }] },
  { name: "main.totals", rows: [{ id: 1n }], view: 'SELECT id FROM "main/orders"' },
];

/** Returns the answer to a statement in which the table's name is replaced, so that answers can be compared. */
async function answerTo(table: string, name: string, settings: object, scope?: TableScope): Promise<string> {
  const { warehouse } = await openSimple(settings, hiddenTables);
  const answer = warehouse.query(`SELECT * FROM ${table.replace("X", name)}`, { scope }).then(
    ({ rows }) => `${rows.length} rows`,
    (error: StatementRefusedError) => `${error.reason} ${error.message} ${error.nearest}`,
  );
  return (await answer).replaceAll(name, "X");
}

test.each<[string, string, string, object, TableScope?]>([
  ["X.salaries", "hr", "zz", { exclude: ["hr"] }],
  ["hr.X", "salaries", "salariez", { exclude: ["hr"] }],
  ["hr.X", "salaries", "salariez", { include: ["main"] }],
  ["X", "salaries", "salariez", { exclude: ["hr"] }],
  ["X", "secret_orders", "secret_orderz", { exclude: ["main.secret_orders"] }],
  ["main.X", "secret_orders", "secret_orderz", { exclude: ["main.secret_orders"] }],
  ["main.X", "secret_orders", "secret_orderz", {}, { exclude: ["main.secret_*"] }],
  ["main.X", "totals", "totalz", { filters: { "main.orders": "id > 0" } }],
])("%s is refused alike for %s, which the scope hides, and for %s, which does not exist: %j %j", async (...row) => {
  const [table, hidden, missing, settings, scope] = row;
  const answer = await answerTo(table, hidden, settings, scope);
  expect(answer).toBe(await answerTo(table, missing, settings, scope));
  expect(answer).toMatch(/^unknown_name There is no table \S+, or it is outside of the scope of the connection shop\./);
});

test("hidden tables change nothing about what other names mean", async () => {
  expect(await answerTo("X", "Orders", { exclude: ["hr"] })).toBe("1 rows");
  expect(await answerTo("X.orders", "shop", { exclude: ["shop"] })).toBe("1 rows");
});

test("a structure contains no foreign key to a table outside of the scope", async () => {
  const { engine, warehouse } = await openSimple({ exclude: ["hr"] });
  const key = (schema: string, table: string) => ({ columns: ["id"], references: { schema, table, columns: ["id"] } });
  const orders = engine.tables.findIndex(({ table }) => table === "orders");
  Object.assign(engine.tables[orders] ?? {}, { foreignKeys: [key("hr", "salaries"), key("crm", "customers")] });
  const { tables } = await warehouse.readStructure();
  expect(tables.find(({ table }) => table === "orders")?.foreignKeys).toEqual([key("crm", "customers")]);
});

test("an error of the engine names no table that the statement does not name, if the scope leaves tables out", async () => {
  const tables = [
    { name: "hr.salaries", rows: [{ amount: 9n }] },
    { name: "main.pay", rows: [{ amount: 9n }], view: "SELECT fail_with('x') AS amount" },
  ];
  const { warehouse, engine } = await openSimple({ exclude: ["hr"], views: ["main.pay"] }, tables);
  engine.failure = 'permission denied for table salaries of hr."salaries"';
  await expect(warehouse.query("SELECT amount FROM pay")).rejects.toThrow(
    "permission denied for table [hidden] of hr.[hidden]",
  );
});

test("an error of the engine keeps its full stop beside a name", async () => {
  const { warehouse, engine } = await openSimple({ exclude: ["hr"] });
  engine.failure = "Permission denied for table orders. Grant the account SELECT. It reads the table salaries!";
  await expect(warehouse.query("SELECT id FROM orders")).rejects.toThrow(
    "Permission denied for table orders. Grant the account SELECT. It reads the table [hidden]!",
  );
});

test("a schema of the scope without tables that can be read is a problem", async () => {
  const { warehouse } = await openSimple({ include: ["main", "mian"] });
  expect((await warehouse.readStructure()).problems).toEqual([
    {
      schema: "mian",
      table: "*",
      problem: "There is no table that can be read in the schema mian. Correct include, or grant the account access.",
    },
  ]);
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
    message:
      "There is no table order, or it is outside of the scope of the connection shop. Did you mean main.orders, main.order_lines?",
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

test("patterns that match nothing are found in the structure that was read last, whether it is in scope or not", async () => {
  const { engine, warehouse } = await openSimple({
    include: ["main", "crm.customers"],
    exclude: ["main.tmp_*", "main.old_*"],
    sensitive: ["main.tmp_1.id", "main.orders.buyr"],
  });
  await warehouse.readStructure();
  expect(await warehouse.findUnusedPatterns()).toEqual(["exclude: main.old_*", "sensitive: main.orders.buyr"]);
  expect(engine.asked).toHaveLength(1);
});

test("without patterns, no structure is read to find those that match nothing", async () => {
  const { engine, warehouse } = await openSimple({});
  expect(await warehouse.findUnusedPatterns()).toEqual([]);
  expect(engine.asked).toEqual([]);
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

test("views that the settings leave out because of what they show are named, and those that they name otherwise are not", async () => {
  const views = [
    { name: "main.hidden_pay", rows: [{ amount: 1n }], view: 'SELECT amount FROM "hr/salaries"' },
    { name: "main.named_pay", rows: [{ amount: 1n }], view: 'SELECT amount FROM "hr/salaries"' },
    { name: "crm.pay", rows: [{ amount: 1n }], view: 'SELECT amount FROM "hr/salaries"' },
  ];
  const { warehouse } = await openSimple({ include: ["main"], views: ["main.named_*"] }, [...shop, ...views]);
  expect(await warehouse.findLeftOutViews()).toEqual([{ schema: "main", table: "hidden_pay" }]);
  const { warehouse: open } = await openSimple({}, [...shop, ...views]);
  expect(await open.findLeftOutViews()).toEqual([]);
});
