import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import type { MariaDbServer } from "./mariadb-server.ts";

const hostile = "`order ``lines``; DROP TABLE orders --`";

/** Creates a small shop with a view, a sequence, routines that write, an account that only reads, and hostile names. */
export async function createShop(server: MariaDbServer): Promise<void> {
  await server.send(
    "CREATE DATABASE shop CHARACTER SET utf8mb4",
    "USE shop",
    "CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(50))",
    "CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT, status VARCHAR(10), total DECIMAL(10, 2), placed DATETIME, notes JSON," +
      " CONSTRAINT of_customer FOREIGN KEY (customer_id) REFERENCES customers (id)) COMMENT 'What was sold'",
    "CREATE TABLE items (id INT PRIMARY KEY, order_id INT, note TEXT COMMENT 'from \\'; DROP TABLE orders; --')",
    `CREATE TABLE ${hostile} (id INT, \`a\`\`b\` INT, \`"; DROP TABLE orders; --\` INT)`,
    "CREATE TABLE `Πίνακας` (δ INT, `κόσμος` INT)",
    "INSERT INTO customers VALUES (1, 'Ana'), (2, 'Bob'), (3, '山田 😀')",
    "INSERT INTO orders VALUES (1, 1, 'paid', 12.50, '2024-01-31 12:00:00', '{\"a\": 1}'), (2, 1, 'open', 3, '2024-02-29 00:00:00', NULL), (3, 2, 'paid', 99.99, NULL, '{}')",
    "INSERT INTO items VALUES (1, 1, 'x'), (2, 3, 'y')",
    `INSERT INTO ${hostile} VALUES (1, 2, 3)`,
    "INSERT INTO `Πίνακας` VALUES (1, 2)",
    "CREATE VIEW order_totals AS SELECT id, total FROM orders",
    "CREATE SEQUENCE ticket",
    "CREATE PROCEDURE wipe() BEGIN COMMIT; START TRANSACTION READ WRITE; DELETE FROM items; COMMIT; END",
    "CREATE FUNCTION wipe_one() RETURNS INT BEGIN DELETE FROM items; RETURN 1; END",
    "CREATE USER reader@localhost",
    "GRANT SELECT ON shop.* TO reader@localhost",
  );
}

/** Returns a digest of everything that a statement could change: rows, structure, accounts, settings, sequences, locks, files. */
export async function readState(server: MariaDbServer): Promise<string> {
  const tables = await server.send(
    "SELECT TABLE_SCHEMA s, TABLE_NAME t, TABLE_TYPE k, TABLE_COMMENT c FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ('information_schema', 'performance_schema', 'sys') ORDER BY 1, 2",
  );
  const names = tables
    .filter(({ s, k }) => s === "shop" && k === "BASE TABLE")
    .map(({ t }) => `shop.\`${String(t).replaceAll("`", "``")}\``);
  const parts = [
    tables,
    await server.send(`CHECKSUM TABLE ${names.join(", ")}`),
    await server.send(
      "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop' ORDER BY 1, ORDINAL_POSITION",
    ),
    await server.send(
      "SELECT * FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'shop' ORDER BY INDEX_NAME, SEQ_IN_INDEX, TABLE_NAME",
    ),
    await server.send(
      "SELECT ROUTINE_NAME, ROUTINE_DEFINITION FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'shop' ORDER BY 1",
    ),
    await server.send(
      "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS UNION SELECT EVENT_NAME FROM information_schema.EVENTS",
    ),
    await server.send("SELECT SCHEMA_NAME, DEFAULT_CHARACTER_SET_NAME FROM information_schema.SCHEMATA ORDER BY 1"),
    await server.send("SELECT User, Host, Priv FROM mysql.global_priv ORDER BY 1, 2"),
    await server.send("SELECT * FROM mysql.db ORDER BY User, Db"),
    await server.send("SELECT next_not_cached_value FROM shop.ticket"),
    await server.send(
      "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('max_connections', 'sql_mode', 'read_only', 'local_infile')",
    ),
    await server.send("SELECT IS_FREE_LOCK('planted')"),
    readdirSync(server.folder)
      .filter((name) => !name.startsWith("#"))
      .sort(),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
