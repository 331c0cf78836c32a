import { afterAll, beforeAll } from "vitest";
import { duckdbConnector } from "../../src/connectors/duckdb/connector.ts";
import { runPlainly, TestFolder } from "../duckdb/database.ts";
import { testViewRules } from "./view-rules.ts";

const folder = new TestFolder();
const file = folder.file("shop.duckdb");
beforeAll(async () => {
  await runPlainly(
    file,
    "CREATE SCHEMA s",
    "CREATE TABLE s.orders (id INTEGER PRIMARY KEY, region VARCHAR)",
    "INSERT INTO s.orders VALUES (1, 'EU'), (2, 'hidden-4711')",
    "CREATE TABLE s.salaries (amount INTEGER)",
    "CREATE VIEW s.all_orders AS SELECT * FROM s.orders",
    "USE s",
    "CREATE VIEW s.order_ids (id) AS WITH own AS (SELECT id FROM all_orders) SELECT * FROM own",
    `CREATE VIEW s.pay ("number AS", n) AS SELECT id, (SELECT count(*) FROM Salaries) AS n FROM orders`,
    "CREATE VIEW s.pay_of_database AS SELECT amount FROM shop.s.salaries",
    "CREATE MACRO total() AS (SELECT sum(amount) FROM s.salaries)",
    "CREATE MACRO rows_of() AS TABLE SELECT * FROM s.salaries",
    "CREATE MACRO lower(x) AS (SELECT x || amount FROM s.salaries)",
    "CREATE VIEW s.pay_macro AS SELECT id, total() AS t FROM orders",
    "CREATE VIEW s.pay_rows AS SELECT amount FROM rows_of()",
    "CREATE VIEW s.pay_lower AS SELECT lower(region) AS r FROM orders",
    "CREATE VIEW s.pay_catalog AS SELECT table_name FROM duckdb_tables()",
  );
});
afterAll(() => folder.remove());

testViewRules({
  connector: duckdbConnector,
  config: () => ({ type: "duckdb", file }),
  schema: "s",
  othersOfPay: ["pay_of_database", "pay_macro", "pay_rows", "pay_lower", "pay_catalog"],
  escapes: [
    "SELECT count(*) FROM s.orders WHERE region <> 'EU'",
    "SELECT max(region), min(region), count(*) FROM s.orders",
    "SELECT CAST(region AS INTEGER) FROM s.orders WHERE id = 2",
    "SELECT id FROM s.orders AS o WHERE EXISTS (SELECT 1 FROM s.orders AS p WHERE p.id > o.id)",
    "EXPLAIN SELECT * FROM s.orders",
    "SUMMARIZE s.orders",
    "SELECT * FROM (SUMMARIZE s.orders)",
    "FROM s.orders SELECT stats(region)",
    "SELECT * FROM pragma_storage_info('s.orders')",
    "SELECT * FROM query('FROM s.orders')",
    "SELECT * FROM query_table('s.orders')",
    "EXPLAIN ANALYZE SELECT * FROM s.orders",
    "SELECT * FROM histogram_values('s.orders', region)",
    "SELECT * FROM duckdb_columns()",
    "SELECT rowid, * FROM s.orders",
    "SELECT orders FROM s.orders",
    "SELECT * FROM s.orders USING SAMPLE 100%",
    "SELECT * FROM s.orders TABLESAMPLE reservoir(10 ROWS)",
    "FROM s.orders SELECT COLUMNS(*)",
    "DESCRIBE s.orders",
    "SELECT total() FROM s.orders",
    "PIVOT s.orders ON region USING count(*)",
  ],
});
