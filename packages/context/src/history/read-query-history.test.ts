import type { DialectId } from "@bridle/warehouse";
import { describe, expect, test } from "vitest";
import type { HistoryTable, LoggedStatement } from "./query-history.ts";
import { readQueryHistory } from "./read-query-history.ts";

function table(name: string, columns: string): HistoryTable {
  const list = columns
    .split(" ")
    .map((column) => ({ name: column.replace("!", ""), isSensitive: column.endsWith("!") }));
  return { schema: "shop", table: name, columns: list };
}

const tables = [
  table("orders", "id customer_id status channel total fee placed_at is_test order"),
  table("customers", "id country email! since"),
  table("lines", "order_id line_no sku qty unit_price"),
  table("shipments", "order_id line_no carrier"),
];

function read(statements: string | readonly LoggedStatement[], dialect: DialectId = "postgres") {
  const rows = typeof statements === "string" ? [{ sql: statements }] : statements;
  return readQueryHistory(rows, { tables, dialect });
}

function usageOf(name: string, sql: string, dialect?: DialectId) {
  const found = read(sql, dialect).tables.find(({ table }) => table === name);
  if (found === undefined) throw new Error(`No use of ${name} was read in: ${sql}`);
  return found;
}

const aggregates = (name: string, sql: string, dialect?: DialectId) =>
  usageOf(name, sql, dialect).aggregates.map(({ agg, expr, filter }) =>
    [agg, expr ?? "rows", filter].filter(Boolean).join(" "),
  );

describe("aggregations", () => {
  test.each([
    ["SELECT sum(total) FROM orders", ["sum total"]],
    ["select SUM(o.total) AS revenue, count(*) from shop.orders o", ["sum total", "count rows"]],
    ["SELECT count(DISTINCT customer_id), avg(total) FROM orders", ["count_distinct customer_id", "avg total"]],
    ["SELECT sum(CASE WHEN status = 'paid' THEN total ELSE 0 END) FROM orders", ["sum total status = 'paid'"]],
    ["SELECT sum(CASE status WHEN 'paid' THEN 1 END) FROM orders", ["count rows status = 'paid'"]],
    ["SELECT count(*) FILTER (WHERE NOT is_test) FROM orders", ["count rows NOT is_test"]],
    ["SELECT sum(total - coalesce(fee, 0)) FROM orders", ["sum total - coalesce(fee, 0)"]],
    ["SELECT sum(total::numeric) / nullif(count(*), 0) FROM orders", ["count rows"]],
    ["SELECT 1 FROM orders GROUP BY status HAVING max(total) > 5", ["max total"]],
    ["SELECT sum(total) OVER (PARTITION BY status) FROM orders", []],
    ["WITH o AS (SELECT total FROM orders) SELECT sum(total) FROM o", []],
    ['SELECT sum("order") FROM "shop"."orders"', ["sum order"]],
    [
      "SELECT a FROM (SELECT sum(total) a FROM orders) x WHERE a > (SELECT min(fee) FROM orders)",
      ["sum total", "min fee"],
    ],
    ["INSERT INTO report SELECT max(placed_at) FROM orders", ["max placed_at"]],
    [
      "SELECT max(total) FROM orders UNION ALL SELECT min(total) FROM orders ORDER BY 1 LIMIT 3",
      ["max total", "min total"],
    ],
  ])("%s", (sql, expected) => {
    expect(aggregates("orders", sql)).toEqual(expected);
  });

  test("an expression over several columns keeps its form, and that over two tables is left out", () => {
    const sql = "SELECT sum(l.qty * l.unit_price), sum(l.qty * o.fee) FROM lines l JOIN orders o ON o.id = l.order_id";
    expect(aggregates("lines", sql)).toEqual(["sum qty * unit_price"]);
  });

  test("the name that most statements give is kept", () => {
    const rows = [
      { sql: "SELECT sum(total) AS revenue FROM orders", runs: 5 },
      { sql: "SELECT sum(total) income FROM orders", runs: 2 },
    ];
    expect(read(rows).tables[0]?.aggregates).toEqual([
      { agg: "sum", expr: "total", filter: undefined, name: "revenue", statements: 2, runs: 7 },
    ]);
  });

  test("a sensitive column is in no expression", () => {
    const sql = "SELECT count(DISTINCT email), count(*) FILTER (WHERE email = 'ann@example.com') FROM customers";
    expect(usageOf("customers", sql).aggregates).toEqual([]);
  });
});

describe("conditions", () => {
  const conditions = (name: string, sql: string, dialect?: DialectId) =>
    usageOf(name, sql, dialect).conditions.map(({ condition }) => condition);

  test.each([
    ["status = 'paid'", ["status = 'paid'"]],
    ["status IN ('paid', 'done') AND total > 5", ["status IN ('done', 'paid')"]],
    ["o.status <> 'void' AND NOT is_test", ["status <> 'void'", "NOT is_test", "NOT is_test AND status <> 'void'"]],
    ["status = 'it''s' OR channel = 'web'", []],
    ["placed_at IS NOT NULL", ["placed_at IS NOT NULL"]],
    ["lower(status) = 'paid'", []],
    ["status = $1", []],
    ["status ~ '^p'", []],
    ["status = 'paid' COLLATE nocase", []],
    ["is_test @@ 'a' AND status = 'paid'", []],
    ["is_test IS TRUE", ["is_test"]],
    ["status NOT IN ('void')", ["status NOT IN ('void')"]],
    ["status = 'ann@example.com'", []],
  ])("%s", (where, expected) => {
    expect(conditions("orders", `SELECT count(*) FROM orders o WHERE ${where}`)).toEqual(expected);
  });

  test("conditions of a join belong to their tables", () => {
    const sql =
      "SELECT 1 FROM orders o LEFT JOIN customers c ON c.id = o.customer_id AND c.country = 'DE' WHERE status = 'x'";
    expect(conditions("customers", sql)).toEqual(["country = 'DE'"]);
    expect(conditions("orders", sql)).toEqual(["status = 'x'"]);
  });

  test("no value of a sensitive column is kept, nor what looks like one", () => {
    const history = read(
      "SELECT * FROM customers WHERE email = 'ann@example.com' AND country = 'DE89370400440532013000'",
    );
    expect(JSON.stringify(history)).not.toMatch(/ann@|DE89/);
  });

  test("texts of MySQL may be in double quotes, and names in backquotes", () => {
    const sql = 'SELECT COUNT(*) FROM `orders` WHERE `status` = "paid" # by hand';
    expect(conditions("orders", sql, "mysql")).toEqual(["status = 'paid'"]);
  });

  test("names of T-SQL may be in brackets", () => {
    const sql = "SELECT TOP (5) SUM([total]) FROM [shop].[orders] WITH (NOLOCK) WHERE [status] = N'paid' OR 1 = 1";
    expect(aggregates("orders", sql, "sqlserver")).toEqual(["sum total"]);
  });
});

describe("groups and times", () => {
  test.each([
    ["SELECT status, count(*) FROM orders GROUP BY status", ["status"], []],
    ["SELECT status AS s, count(*) FROM orders GROUP BY 1", ["status"], []],
    ["SELECT date_trunc('month', placed_at) AS month, 1 FROM orders GROUP BY month", ["placed_at"], ["placed_at"]],
    ["SELECT extract(year from placed_at), 1 FROM orders GROUP BY 1", ["placed_at"], ["placed_at"]],
    ["SELECT channel, sum(fee) FROM orders GROUP BY ALL", ["channel"], []],
    ["SELECT 1 FROM orders WHERE placed_at >= '2025-01-01' AND placed_at < $1", [], ["placed_at"]],
    ["SELECT 1 FROM orders WHERE placed_at BETWEEN DATE '2025-01-01' AND now() - interval '7 days'", [], ["placed_at"]],
    ["SELECT status || channel, 1 FROM orders GROUP BY 1", [], []],
  ])("%s", (sql, groups, times) => {
    const usage = usageOf("orders", sql);
    expect([usage.groups.map(({ column }) => column), usage.times.map(({ column }) => column)]).toEqual([
      groups,
      times,
    ]);
  });
});

describe("joins", () => {
  const joins = (sql: string) =>
    read(sql).tables.flatMap(({ table: from, joins: list }) =>
      list.map(({ columns, to, toColumns }) => `${from} ${columns.join()} → ${to.table} ${toColumns.join()}`),
    );

  test.each([
    ["SELECT 1 FROM orders o JOIN customers c ON c.id = o.customer_id", ["orders customer_id → customers id"]],
    ["SELECT 1 FROM customers c, orders o WHERE o.customer_id = c.id", ["customers id → orders customer_id"]],
    [
      "SELECT 1 FROM lines JOIN shipments USING (order_id, line_no)",
      ["lines line_no,order_id → shipments line_no,order_id"],
    ],
    [
      "SELECT 1 FROM lines l JOIN shipments s ON s.line_no = l.line_no AND l.order_id = s.order_id",
      ["lines line_no,order_id → shipments line_no,order_id"],
    ],
    ["SELECT 1 FROM orders a JOIN orders b ON a.id = b.customer_id", ["orders id → orders customer_id"]],
    ["SELECT 1 FROM orders o JOIN (SELECT id FROM customers) c ON c.id = o.customer_id", []],
    ["SELECT 1 FROM orders, customers", []],
  ])("%s", (sql, expected) => {
    expect(joins(sql)).toEqual(expected);
  });
});

describe("a history", () => {
  test("counts statements without their literals, and how often they ran", () => {
    const history = read([
      { sql: "SELECT sum(total) FROM orders WHERE status = 'paid'", runs: 200 },
      { sql: "SELECT sum(total)\nFROM orders -- by hand\nWHERE status = 'done'", runs: 13 },
      { sql: "SELECT sum(total) FROM orders" },
    ]);
    expect(history).toMatchObject({ statements: 2, runs: 214, unread: 0 });
    expect(history.tables[0]).toMatchObject({ table: "orders", statements: 2, runs: 214 });
    expect(history.tables[0]?.aggregates).toMatchObject([{ agg: "sum", statements: 2, runs: 214 }]);
  });

  test("a statement that names a column twice counts once for it", () => {
    const [orders] = read("SELECT sum(total), sum(total) / count(*) FROM orders").tables;
    expect(orders?.aggregates.map(({ runs }) => runs)).toEqual([1, 1]);
  });

  test("what is no query or not understood is counted, and has no other effect", () => {
    const statements = [
      "UPDATE orders SET total = 1",
      "SELECT FROM WHERE",
      "select 'open",
      "BEGIN",
      "",
      "SELECT 1",
      "((((",
    ];
    expect(read(statements.map((sql) => ({ sql })))).toEqual({ tables: [], statements: 0, runs: 0, unread: 7 });
  });

  test("statements of Bridle say nothing about people", () => {
    const own = [
      "SELECT sum(total) FROM orders\n/* bridle */",
      'WITH "metric_f0" AS (SELECT sum(total) FROM orders) SELECT 1',
    ];
    expect(read(own.map((sql) => ({ sql }))).tables).toEqual([]);
  });

  test("a common table expression hides a table of its name", () => {
    expect(read("WITH orders AS (SELECT 1 AS total) SELECT sum(total) FROM orders").tables).toEqual([]);
  });

  test("a name of tables in two schemas means none of them without its schema", () => {
    const twice = [...tables, { ...table("orders", "id total"), schema: "old" }];
    const of = (sql: string) => readQueryHistory([{ sql }], { tables: twice, dialect: "duckdb" }).tables;
    expect(of("SELECT sum(total) FROM orders")).toEqual([]);
    expect(of("SELECT sum(total) FROM db.old.orders")).toMatchObject([{ schema: "old" }]);
  });

  test("very deep and very long statements are not read", () => {
    const deep = `SELECT ${"(".repeat(5000)}1${")".repeat(5000)} FROM orders`;
    const long = `SELECT '${"x".repeat(300_000)}' FROM orders`;
    expect(read([{ sql: deep }, { sql: long }])).toMatchObject({ tables: [], unread: 2 });
  });
});
