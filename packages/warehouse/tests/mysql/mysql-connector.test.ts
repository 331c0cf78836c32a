import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { mysqlDialect } from "../../src/connectors/mysql/dialect/mysql-dialect.ts";
import { mysqlConnector } from "../../src/connectors/mysql/mysql-connector.ts";
import type { EngineConnection } from "../../src/port/connector.ts";
import { defaultLimits } from "../../src/port/limits.ts";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import { connectContext, errorOf, readAll } from "../support/reading.ts";
import { MariaDbServer, skipsMariaDb } from "./mariadb-server.ts";
import { createShop } from "./shop-database.ts";

describe.skipIf(skipsMariaDb)("the connector of MariaDB (needs Debian's package mariadb-server)", () => {
  let server: MariaDbServer;
  let connection: EngineConnection;

  const connect = (user: string) =>
    mysqlConnector.connect({ type: "mysql", socket: server.socket, user, database: "shop" }, connectContext);

  beforeAll(async () => {
    server = await MariaDbServer.create();
    await createShop(server);
    await server.send(
      "USE shop",
      "CREATE TABLE numbers (n INT PRIMARY KEY, filler VARCHAR(100))",
      "INSERT INTO numbers SELECT seq, REPEAT('x', 100) FROM seq_1_to_20000",
    );
    connection = await connect("reader");
  });

  afterAll(async () => {
    await connection?.close();
    await server?.remove();
  });

  test("values of every type arrive without loss", async () => {
    await server.send(
      "USE shop",
      `CREATE TABLE kinds (big BIGINT UNSIGNED, negative BIGINT, small TINYINT(1), medium MEDIUMINT UNSIGNED, exact DECIMAL(65, 30), single FLOAT,
        twice DOUBLE, bits BIT(40), flag BIT(1), born YEAR, day DATE, clock TIME(6), local DATETIME(6), moment TIMESTAMP(6) NULL, doc JSON,
        choice ENUM('a', 'ü'), choices SET('x', 'y'), raw VARBINARY(10), blobs BLOB, words TEXT, latin VARCHAR(10) CHARACTER SET latin1,
        place POINT, id UUID, address INET6, \`__proto__\` INT)`,
      "SET time_zone = '+05:30'",
      `INSERT INTO kinds VALUES (18446744073709551615, -9223372036854775808, 2, 16777215,
        12345678901234567890123456789012345.123456789012345678901234567890, 1.5, 0.1, b'1111111111111111111111111111111111111111', b'1', 2024,
        '2024-01-31', '-838:59:59', '2024-01-31 12:00:00.123456', '2024-01-31 12:00:00.5', '{"n": 12345678901234567890.10}', 'ü', 'x,y',
        x'00ff', x'', 'é😀', 'é', ST_GeomFromText('POINT(1 2)'), '123e4567-e89b-12d3-a456-426655440000', '::1', 1)`,
      "INSERT INTO kinds (choice) VALUES (NULL)",
      "SET sql_mode = ''",
      "INSERT INTO kinds (day, local) VALUES ('0000-00-00', '0000-00-00 00:00:00')",
    );
    const { columns, rows } = await readAll(connection, "SELECT * FROM kinds");
    expect(columns.map(({ name, type }) => `${name} ${type}`).join(", ")).toBe(
      "big integer, negative integer, small integer, medium integer, exact decimal, single float, twice float, bits integer, flag boolean, " +
        "born integer, day date, clock time, local timestamp, moment timestamptz, doc json, choice text, choices text, raw bytes, " +
        "blobs bytes, words text, latin text, place other, id uuid, address text, __proto__ integer",
    );
    expect(rows[0]).toEqual([
      18446744073709551615n,
      -9223372036854775808n,
      2n,
      16777215n,
      "12345678901234567890123456789012345.123456789012345678901234567890",
      1.5,
      0.1,
      1099511627775n,
      true,
      2024n,
      "2024-01-31",
      "-838:59:59",
      "2024-01-31T12:00:00.123456",
      "2024-01-31T06:30:00.500000Z",
      '{"n": 12345678901234567890.10}',
      "ü",
      "x,y",
      Buffer.from([0, 255]),
      Buffer.from([]),
      "é😀",
      "é",
      "0x000000000101000000000000000000f03f0000000000000040",
      "123e4567-e89b-12d3-a456-426655440000",
      "::1",
      1n,
    ]);
    expect(rows[1]?.every((value) => value === null)).toBe(true);
    expect([rows[2]?.[10], rows[2]?.[12]]).toEqual(["0000-00-00", "0000-00-00T00:00:00"]);
  });

  test("a statement ends on the server after its time, even if it lifts the server's own limit", async () => {
    const error = await errorOf(readAll(connection, endless, { timeoutMs: 200 }));
    expect(error).toMatchObject({ code: "timeout", message: expect.stringContaining("longer than 0.2 s") });
    const lifted = await errorOf(
      readAll(connection, `SET STATEMENT max_statement_time = 0 FOR ${endless}`, { timeoutMs: 200 }),
    );
    expect(lifted).toMatchObject({ code: "timeout" });
    while ((await running(server)) > 0) await sleep(20);
  });

  test("a recursion of many steps is whole", async () => {
    const numbers =
      "WITH RECURSIVE n AS (SELECT 1 AS k UNION ALL SELECT k + 1 FROM n WHERE k < 5000) SELECT count(*) FROM n";
    expect((await readAll(connection, numbers)).rows).toEqual([[5000n]]);
  });

  test("an error of the server is one of the request, with its message", async () => {
    const error = await errorOf(readAll(connection, "SELECT nothing FROM orders"));
    expect(error).toMatchObject({ code: "invalid_request", message: "Unknown column 'nothing' in 'SELECT'." });
    const late = await errorOf(readAll(connection, "SELECT (SELECT n FROM numbers WHERE n < 3) FROM orders"));
    expect(late).toMatchObject({ code: "invalid_request", message: "Subquery returns more than 1 row." });
  });

  test("unique keys over prefixes are left out, and composite ones keep their order", async () => {
    await server.send(
      "CREATE TABLE shop.keyed (a INT, b INT, c VARCHAR(50), PRIMARY KEY (b, a), UNIQUE (c(5)), UNIQUE one (a, c))",
    );
    const { tables } = await connection.readStructure(undefined);
    expect(tables.find(({ table }) => table === "keyed")).toMatchObject({
      primaryKey: ["b", "a"],
      uniqueKeys: [["a", "c"]],
    });
  });

  test("a view that fails and a table without permission are problems, and the rest is described", async () => {
    await server.send(
      "CREATE DATABASE other",
      "CREATE TABLE other.gone (a INT)",
      "CREATE VIEW other.broken AS SELECT a FROM other.gone",
      "DROP TABLE other.gone",
      "CREATE TABLE other.closed (a INT)",
      "CREATE TABLE other.open (a INT, secret INT, hidden INT)",
      "INSERT INTO other.open VALUES (1, 2, 3)",
      "CREATE USER partial@localhost",
      "GRANT SELECT ON other.broken TO partial@localhost",
      "GRANT INSERT ON other.closed TO partial@localhost",
      "GRANT SELECT (a), INSERT (secret) ON other.open TO partial@localhost",
    );
    const partial = await mysqlConnector.connect(
      { type: "mysql", socket: server.socket, user: "partial" },
      connectContext,
    );
    const { tables, problems } = await partial.readStructure(undefined);
    await partial.close();
    expect(tables.map(({ table, columns }) => [table, columns.map(({ name }) => name)])).toEqual([["open", ["a"]]]);
    expect(problems.map(({ table, problem }) => `${table}: ${problem}`)).toEqual([
      expect.stringMatching(/^broken: .+\.$/),
      "closed: The account may not read it. Grant it SELECT.",
    ]);
  });

  test("of a table of which an account may read some columns, all columns are these", async () => {
    const config = { type: "mysql", socket: server.socket, user: "partial" };
    const warehouse = await openWarehouse({ name: "shop", connector: mysqlConnector, config, context: connectContext });
    onTestFinished(() => warehouse.close());
    expect((await warehouse.query("SELECT * FROM other.open")).rows).toEqual([[1n]]);
    expect((await warehouse.query("SELECT count(*) FROM other.open AS o")).rows).toEqual([[1n]]);
    await expect(warehouse.query("SELECT secret FROM other.open")).rejects.toThrow(
      "There is no column secret in other.open. The columns are: a.",
    );
  });

  test.each(["InnoDB", "MyISAM", "Aria"])(
    "in %s a change of rows or structure changes the mark of its table, and nothing else does",
    async (engine) => {
      await server.send(
        `CREATE TABLE shop.moving_${engine} (a INT) ENGINE = ${engine}`,
        `INSERT INTO shop.moving_${engine} VALUES (1)`,
        `CREATE TABLE shop.resting_${engine} (a INT) ENGINE = ${engine}`,
        `INSERT INTO shop.resting_${engine} VALUES (1)`,
      );
      const names = [`moving_${engine}`, `resting_${engine}`].map((table) => ({ schema: "shop", table }));
      const read = () => connection.readChangeMarks(names);
      const rested = async () => {
        for (;;) {
          const marks = await read();
          if (marks.every((mark) => mark !== undefined)) return marks;
          await sleep(100);
        }
      };
      const first = await rested();
      expect(await read()).toEqual(first);
      await server.send(`UPDATE shop.moving_${engine} SET a = 2`);
      expect((await read())[0]).not.toBe(first[0]);
      const second = await rested();
      expect(second[0]).not.toBe(first[0]);
      await server.send(`ALTER TABLE shop.moving_${engine} ADD COLUMN b INT`);
      const third = await rested();
      expect(third[0]).not.toBe(second[0]);
      expect(third[1]).toBe(first[1]);
      expect(
        await connection.readChangeMarks([
          { schema: "shop", table: "order_totals" },
          { schema: "shop", table: "missing" },
        ]),
      ).toEqual([undefined, undefined]);
    },
  );

  test("a digest is equal for equal values of any type, hides them, and keeps NULL", async () => {
    await server.send(
      "CREATE TABLE shop.hidden (u VARCHAR(9) CHARACTER SET utf8mb4, l VARCHAR(9) CHARACTER SET latin1, w VARCHAR(9) CHARACTER SET utf16, b VARBINARY(9), d DECIMAL(5, 2), m DATETIME)",
      "SET NAMES utf8mb4",
      "INSERT INTO shop.hidden VALUES ('é', 'é', 'é', x'00ff', 1.50, '2024-01-31'), ('e', 'e', 'e', x'00fe', 1.40, NULL)",
    );
    const columns = ["u", "l", "w", "b", "d", "m"].map((name) => mysqlDialect.digest(`\`${name}\``, "k'\\ey"));
    const { rows } = await readAll(connection, `SELECT ${columns.join(", ")} FROM hidden ORDER BY d DESC`);
    const [first = [], second = []] = rows;
    expect(first.map((value) => (typeof value === "string" ? /^[0-9a-f]{32}$/.test(value) : value))).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(new Set(first).size).toBe(4);
    expect(new Set([...first, ...second]).size).toBe(8);
    expect(second[5]).toBe(null);
  });

  test("the account's privileges are shown", async () => {
    const account = async (user: string) => {
      const opened = await connect(user);
      const findings = await opened.inspectSafety();
      await opened.close();
      return findings.find(({ layer }) => layer === "account");
    };
    expect(await account("reader")).toEqual({
      layer: "account",
      ok: true,
      message: "The account reader@localhost can only read.",
    });
    expect(await account("root")).toMatchObject({ ok: false, message: expect.stringContaining("ALL PRIVILEGES") });
  });

  test("a connection that is killed in mid-stream is lost, and the next statement has another", async () => {
    const stream = connection.stream("SELECT a.n, a.filler FROM numbers a, numbers b", {
      ...defaultLimits,
      maxRows: 1e9,
      maxBytes: 1e12,
    });
    const reading = (async () => {
      let isKilled = false;
      for await (const _ of stream) {
        if (isKilled) continue;
        isKilled = true;
        for (const { ID } of await server.send("SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'reader'"))
          await server.send(`KILL ${ID}`);
      }
    })();
    expect(await errorOf(reading)).toMatchObject({ code: "network" });
    expect((await readAll(connection, "SELECT 1")).rows).toEqual([[1n]]);
  });
});

const endless = "SELECT COUNT(*) FROM shop.numbers a, shop.numbers b, shop.numbers c";

/** Returns the number of the account's statements that run now. */
async function running(server: MariaDbServer): Promise<number> {
  const rows = await server.send(
    "SELECT INFO FROM information_schema.PROCESSLIST WHERE USER = 'reader' AND INFO LIKE '%numbers%'",
  );
  return rows.length;
}
