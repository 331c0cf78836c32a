import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type OpenedContext, openContext } from "../context/open-context.ts";

const sql = `SELECT customer_id, count(*) AS orders, sum(total) AS spent FROM orders
  WHERE status = 'paid' GROUP BY customer_id -- only what was paid`;
const buyers = `name: buyers
primary_key: [customer_id]
joins: [{ to: customers, on: [[customer_id, id]], relationship: many_to_one }]
dimensions: [{ name: orders, type: number }]
measures:
  - { name: count, agg: count }
  - { name: orders_per_buyer, agg: avg, expr: orders }
`;
const customers = "name: customers\ntable: main.customers\nprimary_key: [id]\ndimensions: [{ name: city }]\n";

let projectDir: string;
let context: OpenedContext;
beforeEach(async () => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-statements-"));
  const database = openDatabase(join(projectDir, "shop.db"));
  database.exec(`CREATE TABLE customers (id INTEGER, email TEXT, city TEXT);
    CREATE TABLE orders (id INTEGER, customer_id INTEGER, status TEXT, total DECIMAL(10,2));
    INSERT INTO customers VALUES (1, 'ann@example.com', 'Berlin'), (2, 'bob@example.com', 'Athens');
    INSERT INTO orders VALUES (1, 1, 'paid', 10.5), (2, 1, 'paid', 20), (3, 2, 'paid', 7), (4, 2, 'open', 1);`);
  database.close();
  put("buyers", withStatement(sql));
  put("customers", customers);
  context = open();
  await context.scan("shop");
});
afterEach(async () => {
  await context.close();
  rmSync(projectDir, { recursive: true, force: true });
});

function withStatement(text: string): string {
  return `${buyers}sql: |\n${text.replaceAll(/^/gm, "  ")}\n`;
}

function put(name: string, text: string): void {
  mkdirSync(join(projectDir, "context/models"), { recursive: true });
  writeFileSync(join(projectDir, `context/models/${name}.yaml`), text);
}

function open(): OpenedContext {
  const [connector] = connectors;
  const surroundings = { projectDir, environment: {}, logger: silentLogger };
  const connection = {
    name: "shop",
    open: () =>
      openWarehouse({ name: "shop", connector, config: { type: "sqlite", file: "shop.db" }, context: surroundings }),
  };
  return openContext({ projectDir, stateDir: join(projectDir, ".bridle"), environment: {}, connections: [connection] });
}

const query = { measures: ["buyers.orders_per_buyer"], dimensions: ["customers.city"], orderBy: ["city"] };

test("the rows of a statement are those of a model, with its joins, and are not cached", async () => {
  const rows = [
    ["Athens", 1],
    ["Berlin", 2],
  ];
  expect(await context.metrics.query(query)).toMatchObject({
    kind: "answered",
    rows,
    tables: ["main.orders", "main.customers"],
  });
  expect(await context.metrics.query(query)).toMatchObject({ isCached: false, rows });
  expect(context.metrics.list().find(({ name }) => name === "buyers")).toMatchObject({
    sql: expect.stringContaining("paid"),
  });
});

test("a plan needs the columns of the statement, which the next process knows", async () => {
  await expect(context.metrics.query(query, { planOnly: true })).rejects.toThrow('Run "bridle metrics validate".');
  await context.metrics.query(query);
  await context.close();
  context = open();
  expect(await context.metrics.query(query, { planOnly: true })).toMatchObject({ kind: "planned" });
  expect(await context.metrics.query({ measures: ["buyers.count"], dimensions: ["buyers.spent"] })).toMatchObject({
    refusal: { reason: "unknown_name" },
  });
});

test("an unknown column of a statement is a fault of the file once it has run", async () => {
  put("buyers", withStatement(sql).replace("expr: orders", "expr: order"));
  await expect(context.metrics.query(query)).rejects.toThrow(
    /^context\/models\/buyers\.yaml:\d+:\d+: .*Did you mean "orders"/,
  );
});

test("a fault of another file leaves out nothing whose type is known only once the statement has run", async () => {
  const rounded = "  - { name: rounded, agg: sum, expr: round(spent) }\n";
  const rows = withStatement("SELECT customer_id, id AS orders, total AS spent FROM orders");
  put("buyers", rows.replace("sql: |", `${rounded}sql: |`));
  put("customers", `${customers}measures: [{ name: cities, agg: count_distinct, expr: town }]\n`);
  expect(await context.metrics.query({ measures: ["buyers.rounded"] })).toMatchObject({ rows: [[39]] });
  await expect(context.metrics.query({ measures: ["customers.cities"] })).rejects.toThrow(
    /customers\.yaml:\d+:\d+: .*"town"/,
  );
});

test("the primary key of a statement is counted in its rows", async () => {
  put("buyers", withStatement("SELECT customer_id, id AS orders FROM orders"));
  const checked = await context.metrics.check();
  expect(checked.violations).toEqual([
    "The primary key of buyers is not unique: 2 keys occur more than once, or with NULL.",
  ]);
});

test("who may not see a table of the statement finds no model, and gets no row", async () => {
  const scope = { exclude: ["main.orders"] };
  expect(context.metrics.list({ scope }).map(({ name }) => name)).toEqual(["customers"]);
  expect(await context.metrics.query({ measures: ["buyers.count"] }, { scope })).toMatchObject({
    kind: "refused",
    refusal: { reason: "unknown_name" },
  });
  expect(await context.metrics.query({ measures: ["buyers.count"] })).toMatchObject({ rows: [[2]] });
  expect(JSON.stringify(await context.search("buyers", { scope }))).not.toContain("buyers");
});

test("a statement over a view is hidden from whoever may not see a table that the view shows", async () => {
  const database = openDatabase(join(projectDir, "shop.db"));
  database.exec("CREATE VIEW places AS SELECT id AS customer_id, length(city) AS orders FROM customers");
  database.close();
  put("buyers", withStatement("SELECT customer_id, orders FROM places"));
  await context.scan("shop");
  const asked = { measures: ["buyers.count"] };
  expect(await context.metrics.query(asked)).toMatchObject({ rows: [[2]], tables: ["main.places"] });
  for (const scope of [{ exclude: ["main.customers"] }, { include: ["main.orders", "main.p*"] }]) {
    expect(context.metrics.list({ scope })).toEqual([]);
    expect(await context.metrics.query(asked, { scope })).toMatchObject({ refusal: { reason: "unknown_name" } });
  }
  const named = { include: ["main.orders", "main.places"] };
  expect(await context.metrics.query(asked, { scope: named })).toMatchObject({ rows: [[2]] });
});

test.each([
  ["DELETE FROM orders", "cannot be run"],
  ["SELECT 1 AS orders; SELECT 2 AS orders", "cannot be run"],
  ["SELECT 1 AS customer_id, 2 AS orders) x, (SELECT 3 AS y", "cannot be run"],
  ["SELECT 1 AS orders FROM missing", "cannot be run"],
  ["SELECT load_extension('x') AS orders", "cannot be run"],
  ["PRAGMA table_info(orders)", "cannot be run"],
  ["SELECT customer_id, id AS orders, total AS orders FROM orders", "has two columns orders"],
  [
    "SELECT id AS customer_id, length(email) AS orders FROM customers",
    "names the sensitive column main.customers.email",
  ],
])("the statement %j is refused with the reason", async (text, reason) => {
  put("buyers", withStatement(text));
  await expect(context.metrics.query({ measures: ["buyers.count"] })).rejects.toThrow(reason);
});
