import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mysqlDialect } from "../../src/connectors/mysql/dialect/mysql-dialect.ts";
import { mysqlConnector } from "../../src/connectors/mysql/mysql-connector.ts";
import type { EngineConnection } from "../../src/port/connector.ts";
import { connectContext, errorOf, readAll, resolveIn } from "../support/reading.ts";
import { MariaDbServer, skipsMariaDb } from "./mariadb-server.ts";
import { mysqlReads, mysqlRefusals } from "./mysql-statements.ts";
import { createShop, readState } from "./shop-database.ts";

/** Statements with effects that only the parser prevents, each with the limit that the session puts on it. */
const leftToParser: readonly (readonly [RegExp, string])[] = [
  [/sleep|benchmark|wait\(/i, "waits, no longer than the time limit"],
  [/lock\(|locks\(|lock in share mode/i, "locks that end with the statement"],
  [/load_file/i, "a file, if the account has the privilege FILE"],
  [/^(show|describe|help)|@@/i, "the catalog, as far as the account may see it"],
  [/@x|last_insert_id|sql_calc|set_var/i, "variables of the session, which is reset afterwards"],
  [/previous value|procedure|high_priority|decode|_gbk|\{d/i, "forms that read, and that the parser does not know"],
];

describe.skipIf(skipsMariaDb)("statements in MariaDB (needs Debian's package mariadb-server)", () => {
  let server: MariaDbServer;
  let connection: EngineConnection;
  let state: string;

  beforeAll(async () => {
    server = await MariaDbServer.create();
    await createShop(server);
    connection = await mysqlConnector.connect(
      { type: "mysql", socket: server.socket, user: "root", database: "shop" },
      connectContext,
    );
    state = await readState(server);
  });

  afterAll(async () => {
    await connection?.close();
    await server?.remove();
  });

  const withFolder = (sql: string) => sql.replace("FOLDER", server.folder);

  test("at least 150 statements are tried", () => {
    expect(new Set([...mysqlReads, ...mysqlRefusals]).size).toBeGreaterThanOrEqual(150);
  });

  test.each(mysqlReads)("a checked read returns what it returns unchecked: %s", async (sql) => {
    const checked = await mysqlDialect.check(sql, resolveIn("shop"));
    const [after, before] = [await readAll(connection, checked), await readAll(connection, sql)];
    expect(after).toEqual(before);
    expect(after.rows.length + after.columns.length).toBeGreaterThan(0);
  });

  test("every table of a read is resolved, and its replacement is read instead", async () => {
    const sql =
      "SELECT COUNT(*), (SELECT MAX(orders.total) FROM shop.orders WHERE shop.orders.id > 0) FROM orders JOIN customers c ON c.id = orders.customer_id";
    const relations = { orders: "(SELECT * FROM `shop`.`orders` WHERE `id` = 2)" };
    const found: string[] = [];
    const checked = await mysqlDialect.check(sql, resolveIn("shop", relations, found));
    expect(found).toEqual(["shop.orders", "orders", "customers"]);
    expect((await readAll(connection, checked)).rows).toEqual([[1n, "3.00"]]);
  });

  test("a fence keeps the conditions of a statement from rows that a filter hides", async () => {
    const relation = `(SELECT * FROM shop.orders WHERE id = 2 ${mysqlDialect.fence})`;
    const checked = await mysqlDialect.check(
      "SELECT id FROM orders WHERE id > 0",
      resolveIn("shop", { orders: relation }),
    );
    expect((await readAll(connection, checked)).rows).toEqual([[2n]]);
  });

  test.each(mysqlRefusals)("the parser refuses: %j", async (sql) => {
    const error = await errorOf(mysqlDialect.check(withFolder(sql), resolveIn("shop")));
    expect(error).toMatchObject({ code: "invalid_request", reason: expect.any(String) });
  });

  test("without the parser, the session of an account with all privileges changes nothing", async () => {
    const passed: string[] = [];
    for (const sql of mysqlRefusals) {
      const error = await errorOf(readAll(connection, withFolder(sql)));
      if (error === undefined) passed.push(sql);
      if ((await readState(server)) !== state) expect.fail(`the session let this change the database: ${sql}`);
    }
    const unexplained = passed.filter((sql) => !leftToParser.some(([pattern]) => pattern.test(sql)));
    expect(unexplained).toEqual([]);
  });

  test("without the session, what the parser lets through changes nothing, and the rest is refused", async () => {
    const sent: string[] = [];
    for (const sql of [...mysqlReads, ...mysqlRefusals]) {
      const checked = await mysqlDialect.check(withFolder(sql), resolveIn("shop")).catch(() => undefined);
      if (checked === undefined) continue;
      sent.push(sql);
      await server.send("USE shop", checked);
    }
    expect(sent).toEqual(mysqlReads);
    expect(await readState(server)).toBe(state);
  });

  test("a statement that changes its session does not change the next one", async () => {
    await errorOf(readAll(connection, "SELECT @left := 5"));
    await errorOf(readAll(connection, "SET SESSION sql_mode = 'ANSI_QUOTES'"));
    await errorOf(readAll(connection, "SELECT GET_LOCK('planted', 0)"));
    const { rows } = await readAll(
      connection,
      "SELECT @left, \"text\", IS_FREE_LOCK('planted'), @@autocommit, @@tx_read_only",
    );
    expect(rows).toEqual([[null, "text", 1n, 1n, 1n]]);
  });

  // This is the last test, because it changes the database.
  test.each([
    "INSERT INTO shop.items VALUES (99, 1, 'z')",
    "ALTER TABLE shop.orders COMMENT 'planted'",
    "SELECT NEXTVAL(shop.ticket)",
    "SELECT shop.wipe_one()",
    "CALL shop.wipe()",
    "CREATE USER planted",
    "SET GLOBAL max_connections = 77",
    "SELECT 1 INTO OUTFILE 'FOLDER/planted'",
    "SELECT /*!50000 SETVAL(shop.ticket, 5000) */",
    "BEGIN NOT ATOMIC COMMIT; INSERT INTO shop.items VALUES (100, 1, 'z'); END",
  ])("without either layer, the tests would notice: %s", async (sql) => {
    const before = await readState(server);
    if (sql.includes("wipe")) await server.send("INSERT INTO shop.items VALUES (7, 1, 'z')");
    const planted = sql.includes("wipe") ? await readState(server) : before;
    await server.send(withFolder(sql));
    expect(await readState(server)).not.toBe(planted);
  });
});
