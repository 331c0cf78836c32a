import { afterAll, beforeAll } from "vitest";
import { sqliteConnector } from "../../src/connectors/sqlite/sqlite-connector.ts";
import { SqliteDatabase } from "../sqlite/sqlite-database.ts";
import { testViewRules } from "./view-rules.ts";

const database = new SqliteDatabase();
beforeAll(() => {
  database.writer.exec(`
    CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT); INSERT INTO orders VALUES (1, 'EU'), (2, 'hidden-4711');
    CREATE TABLE salaries (amount INTEGER); INSERT INTO salaries VALUES (5);
    CREATE VIEW all_orders AS SELECT * FROM orders;
    CREATE VIEW order_ids AS WITH own AS (SELECT id FROM all_orders) SELECT * FROM own;
    CREATE VIEW pay AS SELECT id, (SELECT count(*) FROM salaries) AS n FROM orders;
    CREATE VIRTUAL TABLE order_words USING fts5(region, content = 'orders', content_rowid = 'id');
    INSERT INTO order_words (order_words) VALUES ('rebuild');
    CREATE VIRTUAL TABLE order_terms USING fts5vocab(order_words, 'row');
    CREATE VIRTUAL TABLE pay_words USING fts4(content="salaries", amount);
    CREATE VIEW pay_found AS SELECT rowid FROM pay_words;
    CREATE VIEW pay_catalog AS SELECT o.id, s.sql FROM orders AS o, sqlite_schema AS s;
    CREATE INDEX order_regions ON orders (region); ANALYZE;
    CREATE VIRTUAL TABLE own_words USING fts5(content, note);
    INSERT INTO own_words VALUES ('a', 'b');
  `);
});
afterAll(() => database.close());

testViewRules({
  connector: sqliteConnector,
  config: () => ({ type: "sqlite", file: database.file }),
  schema: "main",
  others: ["order_words", "order_terms"],
  othersOfPay: ["pay_words", "pay_found", "pay_catalog"],
  escapes: [
    "SELECT count(*) FROM orders WHERE region <> 'EU'",
    "SELECT max(region), min(region), count(*) FROM orders",
    "SELECT CAST(region AS INTEGER) FROM orders WHERE id = 2",
    "SELECT id FROM orders AS o WHERE EXISTS (SELECT 1 FROM orders AS p WHERE p.id > o.id)",
    "EXPLAIN SELECT * FROM orders",
    "SELECT * FROM sqlite_stat1",
    "SELECT * FROM sqlite_stat4",
    "SELECT * FROM pragma_table_info('orders')",
    "SELECT data FROM sqlite_dbpage",
    "SELECT * FROM dbstat",
    "SELECT rowid, * FROM orders",
    "SELECT * FROM orders INDEXED BY order_regions",
    "SELECT region FROM orders WHERE rowid = 2",
    "SELECT * FROM order_words WHERE order_words MATCH 'hidden*'",
    "SELECT block FROM order_words_data",
    "SELECT sql FROM sqlite_master",
  ],
});
