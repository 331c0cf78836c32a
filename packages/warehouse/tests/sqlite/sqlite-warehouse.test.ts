import { afterAll, beforeAll, expect, test } from "vitest";
import { sqliteConnector } from "../../src/connectors/sqlite/sqlite-connector.ts";
import type { Warehouse } from "../../src/index.ts";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const tables = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT, region TEXT, notes TEXT);
  INSERT INTO customers VALUES
    (1, 'ada@hidden.example', 'Ada', 'EU', 'call ada@hidden.example'), (2, 'bob@hidden.example', 'Bob', 'US-hidden', 'x');
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, total REAL, region TEXT);
  INSERT INTO orders VALUES (1, 'ada@hidden.example', 12.5, 'EU'), (2, 'bob@hidden.example', 777123.0, 'US-hidden');
  CREATE TABLE salaries (person TEXT, amount INTEGER); INSERT INTO salaries VALUES ('carl-hidden', 777123);
  CREATE VIRTUAL TABLE mail USING fts5(email, body); INSERT INTO mail VALUES ('ada@hidden.example', 'good day');
  CREATE VIEW order_mails AS SELECT customer AS who, total FROM orders;
  CREATE TABLE scans AS SELECT hex(zeroblob(750000)) AS page, column1 AS code
    FROM (VALUES ('4111111111111111'), ('4012888888881881'), ('5555555555554444'), ('5105105105105100'));
  CREATE INDEX customers_by_email ON customers (email);
  ANALYZE;
`;

const database = new SqliteDatabase();
let warehouse: Warehouse;
beforeAll(async () => {
  database.writer.exec(tables);
  warehouse = await openWarehouse({
    name: "shop",
    connector: sqliteConnector,
    config: {
      type: "sqlite",
      file: database.file,
      exclude: ["main.salaries"],
      filters: { "main.orders": "region = 'EU'", "main.customers": "region = 'EU'" },
      sensitive: ["main.customers.email", "main.customers.notes", "main.orders.customer", "main.mail.email"],
    },
    context: { projectDir: "/" },
  });
});
afterAll(async () => {
  await warehouse?.close();
  database.close();
});

/** Returns the rows as text, or the message of the refusal. */
async function answer(sql: string): Promise<string> {
  try {
    const { columns, rows } = await warehouse.query(sql);
    return JSON.stringify([columns, rows], (_, value) => (typeof value === "bigint" ? String(value) : value));
  } catch (error) {
    return String(error);
  }
}

const columns = "id, email, name, region, notes";
const attacks = [
  `SELECT * FROM customers`,
  `SELECT customers.* FROM customers`,
  `SELECT c.*, o.* FROM customers c, orders o`,
  `SELECT main.customers.email FROM customers`,
  `SELECT main.customers.email FROM main.customers`,
  `SELECT "main"."customers"."email" FROM main.customers`,
  `SELECT email FROM 'customers'`,
  `SELECT email FROM main.'customers'`,
  `SELECT email FROM [customers] NOT INDEXED`,
  `SELECT email FROM customers INDEXED BY customers_by_email WHERE email > ''`,
  `SELECT email FROM customers WHERE rowid = 1`,
  `SELECT (SELECT email FROM customers c2 WHERE c2.id = c.id) FROM customers c`,
  `WITH customers AS (SELECT * FROM main.customers) SELECT email FROM customers`,
  `WITH customers AS (SELECT * FROM customers) SELECT email FROM customers`,
  `WITH a AS (SELECT * FROM b), b AS (SELECT * FROM customers) SELECT * FROM a`,
  `WITH RECURSIVE c (${columns}) AS (SELECT * FROM customers UNION SELECT * FROM c) SELECT * FROM c`,
  `WITH RECURSIVE customers (${columns}) AS (SELECT * FROM main.customers UNION SELECT * FROM customers) SELECT * FROM customers`,
  `SELECT * FROM customers UNION ALL SELECT * FROM main.customers`,
  `SELECT group_concat(email), json_group_array(email), max(email) OVER () FROM customers`,
  `SELECT json_group_object(id, notes), hex(notes), quote(email), unicode(email) FROM customers`,
  `SELECT email COLLATE NOCASE, CAST(email AS BLOB), substr(email, 2) FROM customers`,
  `SELECT CASE WHEN email LIKE 'ada@%' THEN 'ada-' || 'hidden' END FROM customers`,
  `SELECT 'ada-' || 'hidden' FROM customers WHERE email = 'ada@' || 'hid' || 'den.example'`,
  `SELECT 'ada-' || 'hidden' FROM customers WHERE 'ada@' || 'hid' || 'den.example' IN (SELECT email FROM customers)`,
  `SELECT 'ada-' || 'hidden' FROM customers GROUP BY email HAVING email < 'b' AND email LIKE 'ada%'`,
  `SELECT * FROM customers NATURAL JOIN main.customers`,
  `SELECT * FROM customers a JOIN customers b USING (email)`,
  `SELECT region FROM orders`,
  `SELECT total FROM orders ORDER BY total DESC`,
  `SELECT sum(total) FROM orders`,
  `SELECT 1 / (total - 777122.0 - 1) FROM orders`,
  `SELECT abs(CASE WHEN total > 777000 THEN -9223372036854775807 - 1 ELSE 1 END) FROM orders`,
  `SELECT json_extract(region, '$') FROM orders`,
  `SELECT x FROM (SELECT *, json(customer) AS x FROM orders)`,
  `SELECT region FROM orders WHERE 0) OR (1 = 1`,
  `SELECT region FROM orders UNION SELECT region FROM main.orders WHERE region LIKE 'US%'`,
  `SELECT (SELECT region FROM orders LIMIT 1 OFFSET 1)`,
  `SELECT (SELECT count(*) FROM orders) FROM (SELECT 'EU' AS region)`,
  `SELECT * FROM order_mails`,
  `SELECT who FROM main.order_mails`,
  `SELECT * FROM salaries`,
  `SELECT * FROM main.salaries`,
  `SELECT * FROM "SALARIES"`,
  `SELECT 'carl-' || 'hidden' IN salaries`,
  `SELECT 1 FROM customers WHERE 777123 IN (SELECT amount FROM salaries)`,
  `SELECT (SELECT max(amount) || (1 IS di\u017ftinct FROM salaries)) FROM (SELECT 1 AS di\u017ftinct)`,
  `SELECT (SELECT 1 IS di\u017ftinct FROM salaries) FROM (SELECT 1 AS di\u017ftinct)`,
  `WITH salarie\u017f AS (SELECT 1) SELECT * FROM salaries`,
  `WITH customer\u017f AS (SELECT 1) SELECT * FROM customers`,
  `SELECT * FROM mail`,
  `SELECT email FROM mail WHERE mail MATCH 'good'`,
  `SELECT highlight(mail, 0, '', '') FROM mail`,
  `SELECT * FROM mail_content`,
  `SELECT c0 FROM main.mail_content`,
  `SELECT hex(block) FROM mail_data`,
  `SELECT * FROM sqlite_stat1`,
  `SELECT sql FROM sqlite_master`,
  `SELECT bridle_digest('ada@hidden.example', 'x')`,
  `EXPLAIN SELECT email FROM customers`,
  `SELECT * FROM customers /* `,
  `SELECT email FROM customers --\n`,
  `SELECT "email", [email], \`email\`, 'x' FROM customers`,
  `SELECT rows.email FROM customers`,
  `SELECT "rows".email FROM customers`,
  `SELECT rows.* FROM customers`,
  `SELECT place FROM customers`,
  `SELECT load_extension(email) FROM customers`,
  `SELECT no_such_function(email) FROM customers`,
  `SELECT json(email) FROM customers`,
  `SELECT json_extract('{}', email) FROM customers`,
  `SELECT '1' -> email, '[1]' ->> notes FROM customers`,
  `SELECT value, fullkey, atom FROM customers, json_tree(json_array(email, notes))`,
  `SELECT strftime(notes), date(notes), printf(notes), unistr(notes) FROM customers`,
  `SELECT 'x' LIKE 'x' ESCAPE notes FROM customers`,
  `SELECT ntile(email) OVER () FROM customers`,
  `SELECT lag(email) OVER (ORDER BY email), first_value(notes) OVER () FROM customers`,
  `SELECT median(email), percentile(id, notes) FROM customers`,
  `SELECT zeroblob(notes), replace(notes, '', ''), trim(email, 'x') FROM customers`,
  `VALUES ((SELECT notes FROM customers))`,
  `SELECT * FROM (VALUES (1)) JOIN customers`,
  `SELECT * FROM customers LEFT JOIN (orders JOIN customers c2) ON 1`,
];

test.each(attacks)("no hidden value of SQLite leaves through %s", async (sql) => {
  const text = await answer(sql);
  expect(text.replaceAll(/There is no[^"]*/g, "")).not.toMatch(
    /@hidden|US-hidden|carl-hidden|ada-hidden|777123|6164614068/i,
  );
});

test("statements over filtered and masked SQLite tables return what the caller may see", async () => {
  const { rows, filtered, masked } = await warehouse.query(
    "SELECT c.name, count(*), sum(o.total) FROM customers c JOIN orders o ON o.customer = c.email GROUP BY c.name",
  );
  expect(rows).toEqual([["Ada", 1n, 12.5]]);
  expect(filtered.toSorted()).toEqual(["main.customers", "main.orders"]);
  expect(masked.length).toBe(3);
});

test("digests of SQLite values cannot be compared with another key, and do not depend on the statement", async () => {
  const read = async (sql: string) => (await warehouse.query(sql)).rows.flat();
  const [digest] = await read("SELECT email FROM customers");
  expect(await read("SELECT DISTINCT customer FROM orders")).toEqual([digest]);
  expect(await read("SELECT c.email FROM customers c, json_each('[1]')")).toEqual([digest]);
  expect(String(digest)).not.toContain("@");
});

test("long values of one column do not hide the sensitive values of another", async () => {
  const { rows, masked } = await warehouse.query("SELECT code FROM scans");
  expect(masked).toEqual(["main.scans.code"]);
  expect(rows.flat().join(" ")).not.toMatch(/4111|8888|4444|5100/);
});

test("a row filter of SQLite fails closed if its column is gone", async () => {
  database.writer.exec("ALTER TABLE orders RENAME COLUMN region TO area");
  const text = await answer("SELECT (SELECT max(total) FROM orders) FROM (SELECT 'EU' AS region)");
  const masked = await answer("SELECT (SELECT group_concat(email) FROM customers) FROM (SELECT 'x' AS region)");
  database.writer.exec("ALTER TABLE orders RENAME COLUMN area TO region");
  expect(masked).not.toContain("@");
  expect(text).not.toContain("777123");
});

test("an unknown name in a statement without a table is refused with the remedy", async () => {
  expect(await answer("SELECT zzz")).toContain(
    "There is no column zzz in this statement. It reads no table. Add FROM.",
  );
});
