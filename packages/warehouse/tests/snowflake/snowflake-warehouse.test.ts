import { StatementRefusedError } from "@bridle/sql";
import { expect, onTestFinished, test } from "vitest";
import { snowflakeConnector } from "../../src/connectors/snowflake/snowflake-connector.ts";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import { connectContext, errorOf } from "../support/reading.ts";
import { snowflakeAccount, startSnowflake } from "./open-snowflake.ts";
import type { SnowflakeAnswer } from "./snowflake-server.ts";

const names = ["TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE", "COLUMN_NAME", "DATA_TYPE"].map(
  (name) => [name, "text"] as const,
);
const ofTable = (schema: string, table: string) => [schema, table, "BASE TABLE", null, null];
const ofColumn = (schema: string, table: string, column: string) => [schema, table, null, column, "TEXT"];

function catalog(sql: string): SnowflakeAnswer | undefined {
  if (sql.includes(".TABLES"))
    return {
      columns: names,
      partitions: [[ofTable("SALES", "ORDERS"), ofTable("SALES", "PEOPLE"), ofTable("HR", "PAY")]],
    };
  if (sql.includes(".COLUMNS"))
    return {
      columns: names,
      partitions: [
        [
          ofColumn("SALES", "ORDERS", "ID"),
          ofColumn("SALES", "ORDERS", "REGION"),
          ofColumn("SALES", "PEOPLE", "ID"),
          ofColumn("SALES", "PEOPLE", "EMAIL"),
          ofColumn("HR", "PAY", "AMOUNT"),
        ],
      ],
    };
  return sql.startsWith("SHOW") ? { columns: names } : undefined;
}

async function openShop(answer: (sql: string) => SnowflakeAnswer = () => ({}), settings: object = {}) {
  const { server } = await startSnowflake((sql) => catalog(sql) ?? answer(sql));
  const warehouse = await openWarehouse({
    name: "shop",
    connector: snowflakeConnector,
    config: { ...snowflakeAccount, endpoint: server.endpoint, ...settings },
    context: connectContext,
  });
  onTestFinished(() => warehouse.close());
  const ask = async (sql: string) => {
    await warehouse.query(sql);
    return server.executed.at(-1)?.statement;
  };
  return { server, warehouse, ask };
}

test("statements of Snowflake read the rows that a filter leaves", async () => {
  const { ask } = await openShop(() => ({}), { filters: { "SALES.ORDERS": "region = 'EU'" } });
  expect(await ask("SELECT o.id FROM sales.orders o")).toBe(
    `SELECT o.id FROM (SELECT "rows"."ID" AS "ID", "rows"."REGION" AS "REGION" FROM "SALES"."ORDERS" AS "rows" WHERE (region = 'EU'\n) LIMIT 999999999999999) o`,
  );
});

test("sensitive columns of Snowflake are read as digests", async () => {
  const { ask } = await openShop(() => ({}), { sensitive: ["SALES.PEOPLE.EMAIL"] });
  const sent = (await ask("SELECT email FROM shop.sales.people"))?.replaceAll(/'[0-9a-f]{8,}'/g, "'KEY'");
  expect(sent).toBe(
    `SELECT email FROM (SELECT "rows"."ID" AS "ID", SUBSTR(SHA2(CONCAT('KEY', SHA2(CONCAT('KEY', TO_VARCHAR(TO_VARIANT("rows"."EMAIL"))), 256)), 256), 1, 32) AS "EMAIL" FROM "SALES"."PEOPLE" AS "rows") AS "PEOPLE"`,
  );
});

test("tables of Snowflake outside of the scope are refused, also by their full names", async () => {
  const { server, warehouse } = await openShop(() => ({}), { include: ["SALES"] });
  const before = server.executed.length;
  for (const sql of [
    "SELECT * FROM hr.pay",
    'SELECT * FROM "SHOP"."HR"."PAY"',
    "SELECT * FROM information_schema.tables",
  ])
    expect(await errorOf(warehouse.query(sql))).toBeInstanceOf(StatementRefusedError);
  expect(await errorOf(warehouse.query("SELECT * FROM sales.order"))).toMatchObject({
    reason: "unknown_name",
    nearest: ["SALES.ORDERS"],
  });
  expect(
    server.executed
      .slice(before)
      .filter(({ statement }) => !statement.includes("INFORMATION_SCHEMA") && !statement.startsWith("SHOW")),
  ).toEqual([]);
});

test("a table of Snowflake that the role may not read is one sentence, and the others are read", async () => {
  const { warehouse } = await openShop((sql) =>
    sql.includes('"PEOPLE"')
      ? { error: ["003001", "SQL access control error:\nInsufficient privileges to operate on table 'PEOPLE'"] }
      : { columns: [["ID", "fixed"]], partitions: [[["1"]]] },
  );
  expect(await errorOf(warehouse.query("SELECT id FROM sales.people"))).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("Insufficient privileges to operate on table"),
  });
  expect((await warehouse.query("SELECT id FROM sales.orders")).rows).toEqual([[1n]]);
});

test("a column of Snowflake that is not there is refused with the nearest name", async () => {
  const { warehouse } = await openShop(() => ({
    error: ["000904", "SQL compilation error: error line 1 at position 7\ninvalid identifier 'O.REGON'"],
  }));
  expect(await errorOf(warehouse.query("SELECT o.regon FROM sales.orders o"))).toMatchObject({
    reason: "unknown_name",
    message: "There is no column REGON in SALES.ORDERS. Did you mean REGION?",
  });
});
