import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenedContext, openContext } from "../context/open-context.ts";
import { estimateReplyTokens } from "../replies/estimate-tokens.ts";
import { ToolsForTests } from "../tools/shop-for-tests.ts";

const orders = `name: orders
description: One row for each order.
table: main.orders
primary_key: [id]
default_time: placed
joins:
  - { to: customers, on: [[customer_id, id]], relationship: many_to_one }
dimensions:
  - { name: status }
  - { name: placed, expr: placed_on, type: date, grain: day }
measures:
  - { name: revenue, agg: sum, expr: total }
  - { name: count, agg: count }
metrics:
  - { name: to_date, type: cumulative, measure: revenue }
  - { name: of_two_months, type: cumulative, measure: revenue, window: { count: 2, grain: month } }
`;
const customers = `name: customers
table: main.customers
primary_key: [id]
dimensions: [{ name: city }, { name: email }]
measures: [{ name: count, agg: count }]
`;

let projectDir: string;
let context: OpenedContext;
beforeEach(async () => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-metrics-"));
  change(`CREATE TABLE customers (id INTEGER, email TEXT, city TEXT);
    CREATE TABLE orders (id INTEGER, customer_id INTEGER, status TEXT, total DECIMAL(10,2), placed_on DATE);
    INSERT INTO customers VALUES (1, 'ann@example.com', 'Berlin'), (2, 'bob@example.com', 'Athens'), (3, 'cem@example.com', NULL);
    INSERT INTO orders VALUES (1, 1, 'paid', 10.5, '2025-01-03'), (2, 1, 'open', 20, '2025-02-01'),
      (3, 2, 'paid', 7, '2025-02-09'), (4, 99, 'paid', 1, '2025-02-11');`);
  put("orders", orders);
  put("customers", customers);
  context = open();
  await context.scan("shop");
});
afterEach(async () => {
  await context.close();
  rmSync(projectDir, { recursive: true, force: true });
});

function change(sql: string): void {
  const database = openDatabase(join(projectDir, "shop.db"));
  database.exec(sql);
  database.close();
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

const byCity = {
  measures: ["orders.revenue"],
  dimensions: ["customers.city"],
  orderBy: ["customers.city"],
  totals: true,
};

test("a query is answered with rows, totals, tables, SQL and the plan in words", async () => {
  const answer = await context.metrics.query(byCity);
  expect(answer).toMatchObject({
    kind: "answered",
    connection: "shop",
    isCached: false,
    tables: ["main.orders", "main.customers"],
    columns: [{ name: "city" }, { name: "revenue" }],
    totals: [38.5],
  });
  const rows = answer.kind === "answered" ? answer.rows : [];
  expect(new Map(rows.map(([city, revenue]) => [city, revenue]))).toEqual(
    new Map<unknown, unknown>([
      [null, 1],
      ["Athens", 7],
      ["Berlin", 30.5],
    ]),
  );
  expect(answer.kind === "answered" && answer.explanation.join(" ")).toContain("customers.city");
});

test("the same query on the same data is answered from the cache, and again after a change", async () => {
  await context.metrics.query(byCity);
  expect(await context.metrics.query(byCity)).toMatchObject({ isCached: true, totals: [38.5] });
  change("INSERT INTO orders VALUES (5, 2, 'paid', 100, '2025-03-01')");
  expect(await context.metrics.query(byCity)).toMatchObject({ isCached: false, totals: [138.5] });
});

test("the next process answers from the cache, unless it must not, or data, columns or rules have changed", async () => {
  const next = async (options = {}) => {
    await context.close();
    context = open();
    return context.metrics.query(byCity, options);
  };
  expect((await context.metrics.query(byCity, { planOnly: true })).kind === "planned").toBe(true);
  await context.metrics.query(byCity);
  expect(await next()).toMatchObject({ isCached: true, totals: [38.5], rows: expect.arrayContaining([["Athens", 7]]) });
  expect(await context.metrics.query(byCity, { planOnly: true })).toMatchObject({
    storedAt: expect.stringMatching(/^20.*Z$/),
  });
  expect(await next({ noCache: true })).toMatchObject({ isCached: false });
  expect(await next({ scope: { exclude: ["main.other"] } })).toMatchObject({ isCached: false });
  change("UPDATE customers SET city = 'Paris' WHERE id = 2");
  expect(await next()).toMatchObject({ isCached: false, rows: expect.arrayContaining([["Paris", 7]]) });
  expect(await next()).toMatchObject({ isCached: true });
  await context.files.change({ kind: "sensitive", subject: "shop.main.customers.city" }, { source: "person" });
  expect(await next()).toMatchObject({ kind: "refused" });
});

test("a join whose one side is not unique in the data is refused with the count, as soon as it is so", async () => {
  expect(await context.metrics.query(byCity)).toMatchObject({ kind: "answered" });
  change("INSERT INTO customers VALUES (1, 'x@example.com', 'Paris')");
  const refused = await context.metrics.query(byCity);
  expect(refused).toMatchObject({ kind: "refused", refusal: { reason: "wrong_key" } });
  expect(refused.kind === "refused" && refused.refusal.message).toContain("1 keys occur more than once");
  expect(await context.metrics.query({ measures: ["orders.revenue"] })).toMatchObject({ rows: [[38.5]] });
});

test("a join over an expression that finds several rows is refused with the count", async () => {
  const on = "{from}.customer_id = {to}.id AND {from}.placed_on >= '2025-01-01'";
  put("orders", orders.replace("[[customer_id, id]]", JSON.stringify(on)));
  expect(await context.metrics.query(byCity)).toMatchObject({ kind: "answered" });
  change("INSERT INTO customers VALUES (2, 'x@example.com', 'Paris')");
  const refused = await context.metrics.query(byCity);
  expect(refused).toMatchObject({ kind: "refused", refusal: { reason: "wrong_key" } });
  expect(refused.kind === "refused" && refused.refusal.message).toContain("The join orders.customers declares one row");
});

test("a query that needs the values of a sensitive column is refused", async () => {
  expect(
    await context.metrics.query({ measures: ["customers.count"], filters: ["customers.email = 'ann@example.com'"] }),
  ).toMatchObject({
    kind: "refused",
    refusal: { message: expect.stringContaining("main.customers.email") },
  });
});

test("an unknown measure is refused with the nearest name, and a plan connects to nothing", async () => {
  expect(await context.metrics.query({ measures: ["orders.revenu"] })).toMatchObject({
    refusal: { reason: "unknown_name", nearest: ["revenue"] },
  });
  expect(await context.metrics.query(byCity, { planOnly: true })).toMatchObject({
    kind: "planned",
    totalsSql: expect.any(String),
  });
});

test("a model is checked against the columns of the scan, with file and line", async () => {
  put("orders", orders.replace("expr: total", "expr: totl"));
  expect(context.metrics.problems).toMatchObject([
    { message: expect.stringContaining('"totl"'), position: { file: "context/models/orders.yaml", line: 12 } },
  ]);
  await expect(context.metrics.query(byCity)).rejects.toThrow(/^context\/models\/orders\.yaml:12/);
  put("orders", orders.replace("main.orders", "main.oders"));
  expect(context.metrics.problems).toMatchObject([
    { message: "The scan found no table main.oders. Did you mean main.orders?" },
  ]);
});

describe("a fault in a file", () => {
  const faulty = orders
    .replace("expr: total", "expr: totl")
    .concat("  - { name: per_order, type: ratio, numerator: revenue, denominator: count }\n");

  test("is the reason for what depends on it, with file and line, and for nothing else", async () => {
    put("orders", faulty);
    const place = /^context\/models\/orders\.yaml:12:\d+: .*"totl"/;
    await expect(context.metrics.query({ measures: ["orders.revenue"] })).rejects.toThrow(place);
    await expect(context.metrics.query({ measures: ["orders.per_order"] })).rejects.toThrow(place);
    await expect(context.metrics.query({ measures: ["orders.count"], having: ["revenue > 1"] })).rejects.toThrow(place);
    expect(await context.metrics.query({ measures: ["customers.count"] })).toMatchObject({ rows: [[3]] });
    const answer = await context.metrics.query({ measures: ["orders.count"], dimensions: ["customers.city"] });
    expect(answer).toMatchObject({
      kind: "answered",
      assumptions: [expect.stringMatching(/^A faulty entry was left out.*orders\.yaml:12/)],
    });
    const names = context.metrics.list().flatMap(({ measures }) => measures.map(({ name }) => name));
    expect(names).toEqual(["customers.count", "orders.count"]);
  });

  test("in a whole file leaves the model out, and the joins that lead to it", async () => {
    put("customers", "name: customers\ntable: main.customers\nprimary_key: id\n");
    expect(await context.metrics.query({ measures: ["orders.revenue"] })).toMatchObject({ rows: [[38.5]] });
    const place = /^context\/models\/customers\.yaml:3:\d+: primary_key/;
    await expect(context.metrics.query(byCity)).rejects.toThrow(place);
    await expect(context.metrics.query({ measures: ["customers.count"] })).rejects.toThrow(place);
    put("customers", customers.replace("main.customers", "main.custmers"));
    await expect(context.metrics.query(byCity)).rejects.toThrow(
      /^context\/models\/customers\.yaml: The scan found no table/,
    );
    expect(await context.metrics.query({ measures: ["orders.count"] })).toMatchObject({ kind: "answered" });
  });

  test("a text that has the name of a faulty measure is no reason", async () => {
    put("orders", faulty);
    expect(
      await context.metrics.query({ measures: ["orders.count"], filters: ["orders.status = 'revenue'"] }),
    ).toMatchObject({
      rows: [[0]],
    });
    const condition = { field: "orders.status", op: "=" as const, value: "revenue" };
    expect(await context.metrics.query({ measures: ["orders.count"], filters: [condition] })).toMatchObject({
      rows: [[0]],
    });
  });
});

test("a value that is no time is a refusal, and no number", async () => {
  change("INSERT INTO orders VALUES (9, 1, 'paid', 1, 'yesterday')");
  const byDay = { measures: ["orders.count"], dimensions: [{ field: "orders.placed", grain: "day" as const }] };
  expect(await context.metrics.query(byDay)).toMatchObject({
    kind: "refused",
    refusal: { reason: "unsupported", message: expect.stringMatching(/^A value is not an ISO 8601 time\./) },
  });
  expect(await context.metrics.query({ measures: ["orders.count"] })).toMatchObject({ rows: [[5]] });
});

test("a check runs each measure and metric, and counts the keys", async () => {
  change("INSERT INTO orders VALUES (4, 2, 'paid', 1, '2025-03-01')");
  const checked = await context.metrics.check();
  expect(checked.measures).toMatchObject([
    { name: "customers.count", value: 3 },
    { name: "orders.revenue", value: 39.5 },
    { name: "orders.count", value: 5 },
    { name: "orders.to_date", value: 39.5 },
    { name: "orders.of_two_months", value: 29 },
  ]);
  expect(checked.violations).toEqual([
    "The primary key of orders is not unique: 1 key occurs more than once, or with NULL.",
  ]);
});

describe("query_metrics", () => {
  const tools = (options = {}) => new ToolsForTests(context.tools(options).tools);

  test("lists what there is, and computes with SQL and plan on request", async () => {
    const list = await tools().call("query_metrics", {});
    expect(list.markdown).toContain("- measure orders.revenue: sum of total");
    const dimensions = [{ field: "orders.placed", grain: "month" }];
    const answer = await tools().call("query_metrics", { measures: ["orders.count"], dimensions, explain: true });
    expect(answer.markdown).toContain("| placed | count |");
    expect(answer.markdown).toContain("SQL: ");
    expect(answer.structured).toMatchObject({ connection: "shop", sql: expect.stringContaining("SELECT") });
    const refused = await tools().call("query_metrics", { measures: ["orders.x"] });
    expect(refused).toMatchObject({ isError: true, structured: { problem: "unknown_name" } });
  });

  test("names columns, groups by parts of a time, and puts dates on one axis", async () => {
    const placed = "orders.placed";
    const named = await tools().call("query_metrics", {
      measures: [{ measure: "orders.count", as: "n" }],
      dimensions: [{ field: placed, part: "month", as: "month" }],
    });
    expect(named.structured).toMatchObject({ columns: [{ name: "month" }, { name: "n" }] });
    expect(named.markdown).toContain("| 2 | 3 |");
    const axis = await tools().call("query_metrics", {
      measures: ["orders.count", "orders.revenue"],
      dimensions: [{ time: { orders: placed }, grain: "year", as: "year" }],
      orderBy: ["year"],
      limit: 1,
      ties: "keep",
    });
    expect(axis.structured).toMatchObject({ rows: [["2025-01-01", 4, 38.5]] });
    const twice = { measures: ["orders.count"], dimensions: [placed, { field: placed, grain: "year" }] };
    expect((await tools().call("query_metrics", twice)).markdown).toContain('Name one of them with "as".');
  });

  test("a caller with a narrow scope finds neither the model nor its rows", async () => {
    const own = tools({ scope: { exclude: ["main.customers"] } });
    expect(JSON.stringify(await own.call("query_metrics", {}))).not.toContain("customers");
    expect(
      await own.call("query_metrics", { measures: ["orders.count"], dimensions: ["customers.city"] }),
    ).toMatchObject({ isError: true });
    expect(await own.call("query_metrics", { measures: ["orders.count"] })).toMatchObject({
      structured: { rows: [[4]] },
    });
  });

  test("no reply is longer than its budget", async () => {
    put(
      "many",
      `${customers.replace("name: customers", "name: many")}segments:\n${Array.from({ length: 400 }, (_, n) => `  - { name: s${n}, filter: city = 'x', description: "${"word ".repeat(30)}" }`).join("\n")}\n`,
    );
    const { markdown } = await tools({ replyTokens: 600 }).call("query_metrics", {});
    expect(estimateReplyTokens(markdown)).toBeLessThanOrEqual(600);
    expect(markdown).toMatch(/Continue with from: \d+/);
  });
});
