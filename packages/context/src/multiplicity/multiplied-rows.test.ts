import { expect, test } from "vitest";
import { makeJoin, makeTable } from "../facts/memory-facts-for-tests.ts";
import { findMultipliedRows } from "./multiplied-rows.ts";
import { TableRelation } from "./relation.ts";

const counts = (filled: number, distinct: number) => ({ rows: filled, filled, distinct, isExact: true });
const column = (name: string, rows: number, distinct: number) => ({
  name,
  profile: { rows, nulls: 0, distinct, shapes: [], frequent: [] },
});
const key = (...columns: string[]) => ({ key: { columns, declared: true, score: 1 } });

const tables = [
  makeTable("w.main.customers", [column("id", 40, 40), column("region", 40, 4)], { ...key("id"), rows: 40 }),
  makeTable(
    "w.main.orders",
    [column("id", 100, 100), column("customer_id", 100, 40), column("total", 100, 90), column("status", 100, 3)],
    { ...key("id"), rows: 100 },
  ),
  makeTable(
    "w.main.items",
    [column("order_id", 300, 100), column("line_no", 300, 5), column("product_id", 300, 20), column("qty", 300, 9)],
    { ...key("order_id", "line_no"), rows: 300 },
  ),
  makeTable("w.main.products", [column("id", 20, 20), column("price", 20, 15)], { ...key("id"), rows: 20 }),
  makeTable("w.main.payments", [column("id", 120, 120), column("order_id", 120, 100), column("amount", 120, 99)], {
    ...key("id"),
    rows: 120,
  }),
  makeTable("w.main.province", [column("name", 243, 240), column("country", 243, 12), column("area", 243, 200)], {
    rows: 243,
  }),
  makeTable(
    "w.main.city",
    [
      column("name", 900, 890),
      column("province", 900, 240),
      column("country", 900, 12),
      column("population", 900, 800),
    ],
    {
      rows: 900,
    },
  ),
  makeTable("w.main.settings", ["rate"], { rows: 1 }),
  makeTable("w.main.employees", [column("id", 50, 50), column("manager_id", 50, 8), column("salary", 50, 45)], {
    ...key("id"),
    rows: 50,
  }),
];
const joins = [
  makeJoin("w.main.city.province", "w.main.province.name", {
    relationship: "many-to-many",
    uniqueness: { from: counts(900, 240), to: counts(243, 240) },
  }),
  makeJoin("w.main.items.order_id", "w.main.orders.id", {
    uniqueness: { from: counts(300, 100), to: counts(100, 100) },
  }),
];
const pair = ["province", "country"];
const composite = {
  ...makeJoin("w.main.city.province", "w.main.province.name"),
  from: { table: "w.main.city", columns: pair },
  to: { table: "w.main.province", columns: ["name", "country"] },
  uniqueness: { from: counts(900, 243), to: counts(243, 243) },
};
const find = (path: readonly string[]) => {
  const table = tables.find((each) => each.table === path.at(-1)?.toLowerCase());
  return table && new TableRelation(table, [...joins, composite]);
};

const marks = { certain: "", possible: "?", unknown: "~" };

/** Names the table that repeats rows, with `?` if a condition may leave one row, and `~` if it is unknown whether rows are repeated. */
function multiplied(sql: string): string {
  const found = findMultipliedRows(sql, "postgres", find);
  const names = found.map(({ by }) => `${by.table.split(".").at(-1)}${marks[by.certainty]}`);
  return [...new Set(names)].join(" ");
}

test.each<readonly [expected: string, sql: string]>([
  // a join towards columns that are not unique
  ["province", "SELECT sum(city.population) FROM city JOIN province ON city.province = province.name"],
  ["province", "SELECT SUM(c.population) FROM city c, province p WHERE c.province = p.name"],
  ["province", "SELECT count(*) FROM city c LEFT JOIN province p ON c.province = p.name"],
  ["province", "SELECT c.name, p.area FROM city c JOIN province p ON p.name = c.province"],
  ["province?", "SELECT avg(c.population) FROM city c JOIN province p ON (p.name = c.province) WHERE p.area > 5"],
  [
    "province",
    'SELECT sum("c"."population") FROM "city" "c" INNER JOIN "province" AS "p" ON "p"."name" = "c"."province"',
  ],
  // a parent over its children
  ["items", "SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id"],
  ["items", "SELECT sum(total) FROM orders JOIN items ON order_id = id"],
  ["items", "SELECT o.status, sum(o.total) FROM orders o LEFT JOIN items i ON o.id = i.order_id GROUP BY o.status"],
  ["items", "SELECT o.id, sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.id"],
  ["items", "SELECT avg(o.total) FROM items i JOIN orders o ON i.order_id = o.id"],
  ["items", "SELECT count(o.id) FROM orders o JOIN items i ON i.order_id = o.id"],
  ["items", "SELECT sum(o.total) FROM orders o, items i WHERE o.id = i.order_id"],
  [
    "items",
    "SELECT sum(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id",
  ],
  ["items?", "SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id AND i.qty > 3"],
  ["items?", "SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id WHERE i.product_id = 4"],
  [
    "items",
    "SELECT sum(CASE WHEN o.status = 'paid' THEN o.total ELSE 0 END) FROM orders o JOIN items i ON i.order_id = o.id",
  ],
  [
    "items",
    "SELECT sum(CASE WHEN o.status = 'paid' THEN 1 ELSE 0 END) FROM orders o JOIN items i ON i.order_id = o.id",
  ],
  ["items", "SELECT sum(o.total) OVER () FROM orders o JOIN items i ON i.order_id = o.id"],
  [
    "items",
    "SELECT o.status FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.status HAVING sum(o.total) > 10",
  ],
  ["items", "SELECT round(sum(o.total) / 2, 2) FROM orders o JOIN items i ON i.order_id = o.id"],
  // children of two kinds
  [
    "payments",
    "SELECT sum(i.qty) FROM orders o JOIN items i ON i.order_id = o.id JOIN payments p ON p.order_id = o.id",
  ],
  [
    "items",
    "SELECT sum(p.amount) FROM orders o JOIN items i ON i.order_id = o.id JOIN payments p ON p.order_id = o.id",
  ],
  ["payments", "SELECT sum(i.qty) FROM items i JOIN payments p USING (order_id)"],
  ["payments", "SELECT sum(i.qty) FROM items i JOIN payments p ON p.order_id = i.order_id GROUP BY i.product_id"],
  // through subqueries
  [
    "items",
    "WITH x AS (SELECT o.total, i.qty FROM orders o JOIN items i ON i.order_id = o.id) SELECT sum(total) FROM x",
  ],
  ["items", "SELECT sum(x.total) FROM (SELECT o.*, i.qty FROM orders o JOIN items i ON i.order_id = o.id) x"],
  ["items", "WITH x AS (SELECT sum(o.total) AS t FROM orders o JOIN items i ON i.order_id = o.id) SELECT t FROM x"],
  [
    "items",
    "SELECT * FROM customers c WHERE 5 < (SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id WHERE o.customer_id = c.id)",
  ],
  ["items", "SELECT sum(o.total) FROM orders o JOIN (SELECT * FROM items) i ON i.order_id = o.id"],
  [
    "items?",
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id, line_no, max(qty) q FROM items GROUP BY order_id, line_no) i ON i.order_id = o.id",
  ],
  [
    "items?",
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id FROM items WHERE qty > 2) i ON i.order_id = o.id",
  ],
  ["items", "SELECT 1 AS n UNION ALL SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id"],
  // no condition joins the tables
  ["products", "SELECT sum(o.total) FROM orders o CROSS JOIN products p"],
  ["products", "SELECT sum(o.total) FROM orders o, products p WHERE o.total > 3"],
  // a table with itself
  ["employees", "SELECT sum(m.salary) FROM employees m JOIN employees e ON e.manager_id = m.id"],

  // joined by an expression whose value several rows have
  ["items?", "SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id + 1"],
  ["items~", "SELECT sum(o.total) FROM orders o JOIN items i ON upper(i.order_id) = upper(o.id)"],
  ["province?", "SELECT sum(c.population) FROM city c JOIN province p ON p.name = trim(c.province)"],
  [
    "employees?",
    "SELECT sum(a.salary) FROM employees a JOIN employees b ON a.manager_id = b.manager_id AND a.id < b.id",
  ],

  // unknown: ranges, expressions over the matched columns, columns and tables that were not measured
  ["items~", "SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id BETWEEN o.id AND o.id"],
  ["products~", "SELECT sum(o.total) FROM orders o JOIN products p ON o.total BETWEEN p.price AND p.price + 5"],
  [
    "products~",
    "SELECT sum(o.total) FROM orders o LEFT JOIN products p ON o.total >= p.price AND o.total < p.price * 2",
  ],
  ["products~", "SELECT avg(o.total) FROM orders o, products p WHERE o.total > p.price"],
  ["customers~", "SELECT sum(o.total) FROM orders o JOIN customers c ON lower(c.id) = lower(o.customer_id)"],
  ["customers~", "SELECT sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id OR c.region = o.status"],
  ["customers~", "SELECT sum(o.total) FROM orders o JOIN customers c ON o.status LIKE c.region"],
  ["rates~", "SELECT sum(o.total) FROM orders o JOIN rates r ON r.day = o.id"],
  ["rates~", "SELECT sum(o.total) FROM orders o CROSS JOIN rates r"],
  [
    "province~",
    "SELECT sum(c.population) FROM city c JOIN province p ON p.name = c.province AND p.area = c.population",
  ],
  [
    "products~",
    "WITH x AS (SELECT o.total FROM orders o JOIN products p ON o.total > p.price) SELECT sum(total) FROM x",
  ],
  ["products~", "SELECT p.price, sum(o.total) FROM orders o JOIN products p ON o.total > p.price GROUP BY p.price"],

  // each row once, including ranges and expressions
  ["", "SELECT p.id, sum(o.total) FROM orders o JOIN products p ON o.total > p.price GROUP BY p.id"],
  ["", "SELECT o.id, p.id FROM orders o JOIN products p ON o.total > p.price"],
  ["", "SELECT max(o.total) FROM orders o JOIN products p ON o.total > p.price"],
  ["", "SELECT sum(o.total) FROM orders o JOIN customers c ON c.id = CAST(o.customer_id AS INTEGER)"],
  ["", "SELECT sum(o.total) FROM orders o JOIN customers c ON c.id = trim(o.customer_id)"],
  ["", "SELECT sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id AND o.total > c.region"],
  ["", "SELECT sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id AND c.region BETWEEN 1 AND o.total"],
  ["", "SELECT sum(o.total) FROM orders o WHERE EXISTS (SELECT 1 FROM products p WHERE o.total > p.price)"],
  [
    "",
    "SELECT sum(o.total) FROM orders o JOIN (SELECT upper(region) AS r, count(*) AS n FROM customers GROUP BY 1) c ON c.r = upper(o.status)",
  ],
  ["", "SELECT sum(o.total) FROM orders o LEFT JOIN items i ON i.order_id = o.id WHERE i.order_id IS NULL"],
  ["", "SELECT sum(o.total) FROM orders o LEFT JOIN products p ON o.total > p.price WHERE p.id IS NULL"],

  // each row once
  ["", "SELECT sum(total) FROM orders"],
  ["", "SELECT sum(i.qty) FROM orders o JOIN items i ON i.order_id = o.id"],
  ["", "SELECT count(*) FROM orders o JOIN items i ON i.order_id = o.id"],
  ["", "SELECT o.id, count(i.line_no) FROM orders o LEFT JOIN items i ON i.order_id = o.id GROUP BY o.id"],
  ["", "SELECT o.id, i.qty FROM orders o JOIN items i ON i.order_id = o.id"],
  ["", "SELECT sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id"],
  ["", "SELECT c.region, sum(o.total) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id GROUP BY c.region"],
  ["", "SELECT sum(i.qty * p.price) FROM items i JOIN products p ON p.id = i.product_id"],
  ["", "SELECT count(DISTINCT o.id) FROM orders o JOIN items i ON i.order_id = o.id"],
  ["", "SELECT max(o.total), min(o.total) FROM orders o JOIN items i ON i.order_id = o.id"],
  ["", "SELECT DISTINCT o.id, o.total FROM orders o JOIN items i ON i.order_id = o.id"],
  ["", "SELECT sum(total) FROM (SELECT DISTINCT o.id, o.total FROM orders o JOIN items i ON i.order_id = o.id) x"],
  [
    "",
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id, sum(qty) q FROM items GROUP BY order_id) i ON i.order_id = o.id",
  ],
  [
    "",
    "WITH i AS (SELECT order_id, sum(qty) AS q FROM items GROUP BY 1) SELECT sum(o.total) FROM orders o JOIN i ON i.order_id = o.id",
  ],
  ["", "SELECT sum(o.total) FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.id)"],
  ["", "SELECT sum(o.total) FROM orders o WHERE o.id IN (SELECT order_id FROM items)"],
  ["", "SELECT sum(o.total) FROM orders o JOIN (SELECT DISTINCT order_id FROM items) i ON i.order_id = o.id"],
  ["", "SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id AND i.line_no = 1"],
  ["", "SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id WHERE i.line_no = 1"],
  ["", "SELECT sum(c.population) FROM city c JOIN province p ON p.name = c.province AND p.country = c.country"],
  ["", "SELECT sum(c.population) FROM city c, province p WHERE p.name = c.province AND c.country = p.country"],
  ["", "SELECT sum(o.total) * max(s.rate) FROM orders o CROSS JOIN settings s"],
  ["", "SELECT sum(o.total) FROM orders o CROSS JOIN (SELECT max(price) AS m FROM products) p"],
  ["", "SELECT sum(e.salary) FROM employees e JOIN employees m ON e.manager_id = m.id"],
  [
    "",
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id, row_number() OVER (PARTITION BY order_id ORDER BY qty) AS rn FROM items) i ON i.order_id = o.id AND i.rn = 1",
  ],
  [
    "",
    "WITH i AS (SELECT *, row_number() OVER (PARTITION BY order_id ORDER BY qty DESC) AS rn FROM items) SELECT sum(o.total) FROM orders o JOIN i ON i.order_id = o.id WHERE i.rn = 1",
  ],
  [
    "",
    "SELECT sum(o.total) FROM orders o JOIN (SELECT DISTINCT ON (order_id) order_id, qty FROM items) i ON i.order_id = o.id",
  ],
  ["", "SELECT o.id, (SELECT sum(i.qty) FROM items i WHERE i.order_id = o.id) FROM orders o"],
  ["", "SELECT sum(o.total) FROM orders o JOIN orders p ON p.id = o.id"],
  ["", "SELECT a.id, b.id FROM employees a JOIN employees b ON a.manager_id = b.manager_id AND a.id < b.id"],
  [
    "",
    "SELECT i.order_id, i.line_no, sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY i.order_id, i.line_no",
  ],
  ["", "SELECT c.id, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c"],
  [
    "",
    "SELECT sum(total) FROM (SELECT o.id, max(o.total) AS total FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.id) x",
  ],
  [
    "",
    "SELECT sum(o.total) FROM orders o LEFT JOIN LATERAL (SELECT qty FROM items i WHERE i.order_id = o.id LIMIT 1) l ON true",
  ],
  ["", "SELECT count(*) FROM (SELECT o.id FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.id) x"],
  ["", "SELECT x FROM unnest(ARRAY[1, 2]) AS t(x)"],
  ["", "this is no statement"],
])("%s ← %s", (expected, sql) => {
  expect(multiplied(sql)).toBe(expected);
});
