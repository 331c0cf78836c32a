import { afterAll, beforeAll, describe } from "vitest";
import { mysqlConnector } from "../../src/connectors/mysql/mysql-connector.ts";
import { MariaDbServer, skipsMariaDb } from "../mysql/mariadb-server.ts";
import { testViewRules } from "./view-rules.ts";

describe.skipIf(skipsMariaDb)("on MariaDB (needs Debian's package mariadb-server)", () => {
  let server: MariaDbServer;
  beforeAll(async () => {
    server = await MariaDbServer.create();
    await server.send(
      "CREATE DATABASE shop CHARACTER SET utf8mb4",
      "CREATE DATABASE hidden",
      "USE shop",
      "CREATE TABLE orders (id INT, region VARCHAR(20), KEY (id)) ENGINE = MyISAM",
      "INSERT INTO orders VALUES (1, 'EU'), (2, 'hidden-4711')",
      "CREATE TABLE salaries (amount INT) ENGINE = MyISAM",
      "CREATE VIEW all_orders AS SELECT * FROM orders",
      "CREATE VIEW order_ids AS SELECT id FROM (SELECT a.id FROM all_orders AS a JOIN orders AS o USING (id)) AS own",
      "CREATE VIEW pay AS SELECT id, (SELECT count(*) FROM salaries) AS n FROM orders",
      "CREATE FUNCTION most() RETURNS INT READS SQL DATA RETURN (SELECT max(amount) FROM salaries)",
      "CREATE VIEW pay_function AS SELECT id, most() AS n FROM orders",
      "CREATE VIEW pay_catalog AS SELECT TABLE_NAME FROM information_schema.TABLES",
      "CREATE VIEW hidden.inner_pay AS SELECT * FROM shop.salaries",
      "CREATE VIEW pay_twice AS SELECT * FROM hidden.inner_pay",
      "CREATE TABLE order_merge (id INT, region VARCHAR(20), KEY (id)) ENGINE = MERGE UNION = (orders)",
      "CREATE TABLE pay_merge (amount INT) ENGINE = MERGE UNION = (salaries)",
      "CREATE USER reader@localhost",
      "GRANT SELECT, EXECUTE, SHOW VIEW ON *.* TO reader@localhost",
    );
  });
  afterAll(() => server?.remove());

  testViewRules({
    connector: mysqlConnector,
    config: () => ({ type: "mysql", socket: server.socket, user: "reader", database: "shop" }),
    schema: "shop",
    others: ["order_merge"],
    othersOfPay: ["pay_function", "pay_catalog", "pay_twice", "pay_merge"],
    escapes: [
      "SELECT count(*) FROM orders WHERE region <> 'EU'",
      "SELECT max(region), min(region), count(*) FROM orders",
      "SELECT CAST(region AS SIGNED) FROM orders WHERE id = 2",
      "SELECT id FROM orders AS o WHERE EXISTS (SELECT 1 FROM orders AS p WHERE p.id > o.id)",
      "EXPLAIN SELECT * FROM orders",
      "SELECT * FROM mysql.column_stats",
      "SELECT * FROM information_schema.TABLES",
      "SELECT * FROM performance_schema.events_statements_current",
      "SELECT INFO FROM information_schema.PROCESSLIST",
      "TABLE orders",
      "HANDLER orders OPEN",
      "SELECT * FROM orders PROCEDURE ANALYSE()",
      "SELECT * FROM orders PARTITION (p0)",
      "SELECT * FROM orders FOR SYSTEM_TIME ALL",
      "SELECT * FROM orders FORCE INDEX (id)",
      "ANALYZE SELECT * FROM orders",
      "SELECT EXTRACTVALUE('<a/>', CONCAT('/', (SELECT region FROM orders WHERE id = 2)))",
      "SELECT JSON_EXTRACT(region, '$') FROM orders",
      "SELECT most()",
      "SHOW CREATE TABLE orders",
    ],
  });
});
