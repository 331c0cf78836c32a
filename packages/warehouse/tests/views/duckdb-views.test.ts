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
    "INSERT INTO s.orders VALUES (1, 'EU'), (2, 'US')",
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
    "CREATE VIEW s.pay_catalogue AS SELECT table_name FROM duckdb_tables()",
  );
});
afterAll(() => folder.remove());

testViewRules({
  connector: duckdbConnector,
  config: () => ({ type: "duckdb", file }),
  schema: "s",
  othersOfPay: ["pay_of_database", "pay_macro", "pay_rows", "pay_lower", "pay_catalogue"],
});
