import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { postgresDialect } from "../../src/connectors/postgres/dialect/postgres-dialect.ts";
import { postgresConnector } from "../../src/connectors/postgres/postgres-connector.ts";
import type { EngineConnection } from "../../src/port/connector.ts";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import { connectTo, openPlain, readAll } from "./open-warehouse.ts";
import { shop } from "./shop.ts";

let cluster: PostgresCluster;
let connection: EngineConnection;
let plain: pg.Client;

const orders = { schema: "shop", table: "orders" };
const measures = { schema: "shop", table: "measures" };

describe.skipIf(skipsPostgres)("the structure of PostgreSQL (needs Debian's package postgresql)", () => {
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    plain = await openPlain(cluster);
    await plain.query(shop);
    connection = await connectTo(cluster);
  });
  afterAll(async () => {
    await connection?.close();
    await plain?.end();
    await cluster?.remove();
  });

  test("tables, views and partitioned tables are listed once, with columns, keys and comments", async () => {
    const { tables, problems } = await connection.readStructure(undefined);
    expect(problems).toEqual([]);
    expect(tables.map(({ schema, table, kind }) => `${schema}.${table} ${kind}`)).toEqual([
      'Odd "Schema.t; DROP TABLE shop.orders; -- table',
      "hidden.secrets table",
      'shop.Odd "Table table',
      "shop.customers table",
      "shop.eu view",
      "shop.measures table",
      "shop.orders table",
      "shop.regions table",
    ]);
    expect(tables.find(({ table }) => table === "customers")).toMatchObject({
      comment: "Who buys",
      estimatedRows: 3,
      primaryKey: ["id"],
      uniqueKeys: [["email"]],
      columns: [
        { name: "id", type: "integer", nativeType: "integer", nullable: false },
        { name: "name", type: "text", nativeType: "text", nullable: false },
        { name: "email", type: "text", nativeType: "shop.email", nullable: true },
        { name: "region", type: "text", nullable: true, comment: "EU or US" },
        { name: "mood", type: "text", nativeType: "shop.mood" },
        { name: "home", type: "other", nativeType: "shop.place" },
      ],
    });
    expect(tables.find(({ table }) => table === "orders")).toMatchObject({
      estimatedRows: 4,
      primaryKey: ["id"],
      foreignKeys: [{ columns: ["customer_id"], references: { schema: "shop", table: "customers", columns: ["id"] } }],
    });
    expect(tables.find(({ table }) => table === "measures")?.estimatedRows).toBe(200);
  });

  test("every table and column with a hostile name can be read, and nothing else happens", async () => {
    const { tables } = await connection.readStructure(undefined);
    for (const table of tables) {
      const names = table.columns.map(({ name }) => name);
      const rows = await readAll(connection, postgresDialect.selectSample(table, names).sql);
      expect(rows.every((row) => row.length === names.length)).toBe(true);
      const list = names.map((name) => postgresDialect.quoteIdentifier(name)).join(", ");
      const statement = `SELECT ${list} FROM ${postgresDialect.quoteTable(table)}`;
      const found: (readonly string[])[] = [];
      const checked = await postgresDialect.check(statement, {
        resolve(parts) {
          found.push(parts);
          return { schema: parts[0] ?? "", table: parts[1] ?? "" };
        },
      });
      expect(checked).toBe(statement);
      expect(found).toEqual([[table.schema, table.table]]);
    }
    expect((await plain.query("SELECT count(*)::int AS n FROM shop.orders")).rows).toEqual([{ n: 4 }]);
  });

  test("a schema that does not exist is left out, and the others are read", async () => {
    const { tables, problems } = await connection.readStructure(["shpo", "hidden"]);
    expect(tables.map(({ table }) => table)).toEqual(["secrets"]);
    expect(problems).toEqual([]);
  });

  test("the structure of any number of tables takes a few statements", async () => {
    await plain.query("CREATE SCHEMA many");
    await plain.query(
      "DO $$ BEGIN FOR n IN 1..300 LOOP EXECUTE format('CREATE TABLE many.t%s (id int PRIMARY KEY, a text, b numeric, c date)', n); END LOOP; END $$",
    );
    const before = connection.statements;
    const { tables } = await connection.readStructure(["many"]);
    expect(tables).toHaveLength(300);
    expect(connection.statements - before).toBeLessThan(10);
    const between = connection.statements;
    expect(await connection.readChangeMarks(tables)).toHaveLength(300);
    expect(connection.statements - between).toBeLessThan(10);
    await plain.query("DROP SCHEMA many CASCADE");
  });

  const changes = [
    "INSERT INTO shop.orders (id) VALUES (100)",
    "UPDATE shop.orders SET paid = true WHERE id = 100",
    "DELETE FROM shop.orders WHERE id = 100",
    "ALTER TABLE shop.orders ADD COLUMN note text",
    "COMMENT ON COLUMN shop.orders.note IS 'x'",
    "CREATE UNIQUE INDEX one ON shop.orders (note)",
    "ALTER TABLE shop.orders DROP COLUMN note",
    "TRUNCATE shop.orders",
  ];
  test.each(changes)("a mark differs at once after: %s", async (sql) => {
    const before = await connection.readChangeMarks([orders, measures]);
    expect(before).toEqual([expect.any(String), expect.any(String)]);
    await plain.query(sql);
    const after = await connection.readChangeMarks([orders, measures]);
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  test("a change of a partition changes the mark of its table", async () => {
    const before = await connection.readChangeMarks([measures]);
    await plain.query("UPDATE shop.measures_2 SET value = 1 WHERE id = 150");
    expect(await connection.readChangeMarks([measures])).not.toEqual(before);
  });

  test("a view and a table that does not exist have no mark", async () => {
    const names = [
      { schema: "shop", table: "eu" },
      { schema: "shop", table: "nothing" },
    ];
    expect(await connection.readChangeMarks(names)).toEqual([undefined, undefined]);
  });

  test("marks of counters differ after changes too, if no other session is active", async () => {
    await plain.end();
    const first = await connection.readChangeMarks([measures]);
    expect(await connection.readChangeMarks([measures])).toEqual(first);
    plain = await openPlain(cluster);
    await plain.query("DELETE FROM shop.measures WHERE id = 1");
    await plain.end();
    const second = await connection.readChangeMarks([measures]);
    expect(second).not.toEqual(first);
    plain = await openPlain(cluster);
  });

  test("an account without rights gets problems for what it may not read, and the rest", async () => {
    await plain.query(
      "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA shop TO reader; GRANT SELECT ON shop.customers TO reader; GRANT SELECT (id, amount) ON shop.orders TO reader",
    );
    const reader = await connectTo(cluster, { user: "reader" });
    const { tables, problems } = await reader.readStructure(undefined);
    expect(tables.map(({ table, columns }) => `${table} ${columns.length}`)).toEqual(["customers 6", "orders 2"]);
    expect(problems).toContainEqual({
      schema: "shop",
      table: "measures",
      kind: "table",
      problem: "The account may not read it. Grant it SELECT on the table measures, or exclude the table.",
    });
    expect(problems).toContainEqual({
      schema: "hidden",
      table: "secrets",
      kind: "table",
      problem: "The account may not read it. Grant it USAGE on the schema hidden, or exclude the table.",
    });
    await expect(readAll(reader, "SELECT * FROM shop.measures")).rejects.toThrow(
      "Permission denied for table measures. Grant the account SELECT, or leave it out.",
    );
    expect(await reader.readChangeMarks([measures, { schema: "shop", table: "customers" }])).toEqual([
      undefined,
      expect.any(String),
    ]);
    expect(await reader.inspectSafety()).toEqual([
      expect.objectContaining({ layer: "parser", ok: true }),
      expect.objectContaining({ layer: "session", ok: true }),
      { layer: "account", ok: true, message: "The account reader can only read." },
    ]);
    await reader.close();
  });

  test("of a table of which an account may read some columns, all columns are these", async () => {
    const config = { type: "postgres", url: cluster.url, sslmode: "disable", user: "reader", notSensitive: ["shop"] };
    const context = { projectDir: "/" };
    const warehouse = await openWarehouse({ name: "shop", connector: postgresConnector, config, context });
    onTestFinished(() => warehouse.close());
    const { columns, rows } = await warehouse.query("SELECT * FROM shop.orders ORDER BY shop.orders.id");
    expect(columns.map(({ name }) => name)).toEqual(["id", "amount"]);
    expect((await warehouse.query("SELECT count(*) FROM shop.orders")).rows).toEqual([[BigInt(rows.length)]]);
    await expect(warehouse.query("SELECT paid FROM shop.orders")).rejects.toThrow(
      "There is no column paid in shop.orders.",
    );
    await expect(warehouse.query("SELECT * FROM shop.measures")).rejects.toThrow(/^There is no table shop\.measures/);
  });

  test("an operator on a masked column that texts do not have says that the column is masked", async () => {
    const config = { type: "postgres", url: cluster.url, sslmode: "disable", sensitive: ["shop.orders.extra"] };
    const warehouse = await openWarehouse({
      name: "shop",
      connector: postgresConnector,
      config,
      context: { projectDir: "/" },
    });
    onTestFinished(() => warehouse.close());
    await expect(warehouse.query("SELECT extra ->> 'a' FROM shop.orders")).rejects.toThrow(
      /^Operator does not exist.*\. The statement reads sensitive columns, and their values are texts of digests: shop\.orders\.extra\.$/,
    );
  });

  test("an account that could write is reported with each reason", async () => {
    await plain.query(
      "CREATE ROLE writer LOGIN CREATEDB; GRANT ALL ON shop.customers TO writer; GRANT CREATE ON SCHEMA shop TO writer; GRANT CREATE ON DATABASE postgres TO writer; GRANT pg_execute_server_program, pg_write_server_files TO writer",
    );
    const writer = await connectTo(cluster, { user: "writer" });
    const messages = (await writer.inspectSafety()).filter(({ ok }) => !ok).map(({ message }) => message);
    expect(messages).toEqual([
      "The account writer can write 1 tables. Use one that can only read.",
      "The account writer can create schemas. Use one that can only read.",
      "The account writer can create tables in shop. Use one that can only read.",
      "The account writer is a member of pg_execute_server_program, pg_write_server_files. Use one that can only read.",
      "The account writer has CREATEDB. Use one that can only read.",
    ]);
    await writer.close();
    expect(await connection.inspectSafety()).toContainEqual({
      layer: "account",
      ok: false,
      message: "The account bridle is a superuser. Use one that can only read.",
    });
  });

  test("a function that the settings name may be called although it may read any table", async () => {
    const context = { resolve: () => orders };
    const without = await connection.readSafeFunctions?.();
    await expect(postgresDialect.check("SELECT shop.peek()", { ...context, safeFunctions: without })).rejects.toThrow(
      "The function shop.peek may have an effect or read outside of the tables, or does not exist.",
    );
    const named = await connectTo(cluster, { functions: ["shop.peek"] });
    const safeFunctions = await named.readSafeFunctions?.();
    await postgresDialect.check("SELECT shop.peek()", { ...context, safeFunctions });
    expect(await readAll(named, "SELECT shop.peek()")).toEqual([["swordfish"]]);
    await named.close();
  });
});
