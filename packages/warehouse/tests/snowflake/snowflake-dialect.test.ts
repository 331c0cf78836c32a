import { StatementRefusedError } from "@bridle/sql";
import { describe, expect, test } from "vitest";
import { snowflakeDialect } from "../../src/connectors/snowflake/dialect/snowflake-dialect.ts";
import type { StatementContext } from "../../src/port/dialect.ts";
import { errorOf } from "../support/reading.ts";
import { snowflakeReads, snowflakeRefusals } from "./snowflake-statements.ts";

const known = new Set(["ORDERS", "CUSTOMERS", "ITEMS"]);

/** Returns a context that finds the tables of SALES by their names in Snowflake. */
function resolve(relations: Readonly<Record<string, string>> = {}): StatementContext {
  return {
    resolve(name) {
      const [table = "", schema = "SALES", database = "SHOP", ...others] = name.toReversed();
      if (!known.has(table) || schema !== "SALES" || database !== "SHOP" || others.length > 0)
        throw new StatementRefusedError(`There is no table ${name.join(".")}.`, { reason: "unknown_name" });
      return { schema, table, relation: relations[table] };
    },
  };
}

describe("statements of Snowflake", () => {
  test("at least 150 different statements of Snowflake are tried", () => {
    const all = [...snowflakeReads, ...snowflakeRefusals];
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(150);
  });

  test.each(snowflakeReads)("the parser reads, and reads again what it wrote: %j", async (sql) => {
    const checked = await snowflakeDialect.check(sql, resolve());
    expect(await snowflakeDialect.check(checked, resolve())).toEqual(checked);
  });

  // If a table in parentheses with others is replaced, the result cannot be parsed again.
  const replaceable = snowflakeReads.filter((sql) => !sql.includes("FROM (orders"));
  test.each(replaceable)("with a SELECT instead of each table, the parser reads: %j", async (sql) => {
    const relations = Object.fromEntries(
      [...known].map((table) => [table, `(SELECT * FROM "SALES"."${table}" AS "rows" WHERE ("ID" = 1\n))`]),
    );
    const checked = await snowflakeDialect.check(sql, resolve(relations));
    expect(await snowflakeDialect.check(checked, resolve())).toEqual(checked);
  });

  test.each(snowflakeRefusals)("the parser refuses: %j", async (sql) => {
    expect(await errorOf(snowflakeDialect.check(sql, resolve()))).toBeInstanceOf(StatementRefusedError);
  });
});

test("tables of Snowflake are replaced by their full names or by what the caller may see", async () => {
  const relation = `(SELECT * FROM "SALES"."ORDERS" WHERE id = 2)`;
  const sql = "SELECT sales.orders.id FROM Sales.Orders, orders AS o -- all";
  expect(await snowflakeDialect.check(sql, resolve())).toBe(
    'SELECT sales.orders.id FROM "SALES"."ORDERS", "SALES"."ORDERS" AS o',
  );
  expect(await snowflakeDialect.check("SELECT sales.orders.id FROM sales.Orders", resolve({ ORDERS: relation }))).toBe(
    `SELECT orders.id FROM ${relation} AS "ORDERS"`,
  );
});

test("a quoted name of a common table expression does not hide the table that its unquoted name means", async () => {
  const relation = `(SELECT 1 AS "A")`;
  const sql = 'WITH "orders" AS (SELECT 1 AS x) SELECT * FROM orders, "orders"';
  expect(await snowflakeDialect.check(sql, resolve({ ORDERS: relation }))).toBe(
    `WITH "orders" AS (SELECT 1 AS x) SELECT * FROM ${relation} AS "ORDERS", "orders"`,
  );
});

test("a refusal of Snowflake says which part of the statement it is, and what to do instead", async () => {
  const refusal = async (sql: string) => errorOf(snowflakeDialect.check(sql, resolve()));
  expect(await refusal("SELECT * FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))")).toMatchObject({
    reason: "effect",
    message: "TABLE(RESULT_SCAN … cannot be used here. Name the table itself, or use FLATTEN or GENERATOR.",
  });
  expect(await refusal("SELECT counter.nextval")).toMatchObject({
    reason: "effect",
    message: "NEXTVAL changes a sequence. Only reading is possible here.",
  });
  expect(await refusal("SELECT * FROM @stage")).toMatchObject({ message: "Stages cannot be read here. Name a table." });
  expect(await refusal("CALL p()")).toMatchObject({ reason: "not_a_read" });
});

test("names and texts of Snowflake are quoted, whatever they contain", () => {
  expect(snowflakeDialect.quoteTable({ schema: 'a"b', table: "c\\d" })).toBe('"a""b"."c\\d"');
  expect(snowflakeDialect.quoteText("it's \\ \0 $$")).toBe("'it\\'s \\\\ \\0 $$'");
});

test("a condition of Snowflake names only columns of its table", async () => {
  const columns = ["REGION", "AMOUNT", "AT"];
  await snowflakeDialect.checkCondition(
    "region = 'EU' AND \"AMOUNT\" > 1 AND at > dateadd(day, -7, current_date)",
    columns,
  );
  for (const condition of [
    "region IN (SELECT 1)",
    "other = 1",
    "1 = 1; SELECT 2",
    "1 = 1) OR (1 = 1",
    "region = $region",
    "is_role_in_session('ADMIN')",
  ])
    expect(await errorOf(snowflakeDialect.checkCondition(condition, columns))).toBeInstanceOf(StatementRefusedError);
});

test("a sample of Snowflake is repeatable and written with its method", () => {
  const sample = (kind: "table" | "view", of: number) =>
    snowflakeDialect.selectSample({ schema: "S", table: "T", kind }, ["A"], { rows: 10_000, of, seed: 7 });
  expect(sample("table", 1_000_000)).toEqual({
    sql: 'SELECT "A" FROM "S"."T" SAMPLE BERNOULLI (1.000000) SEED (7)',
    method: "bernoulli 1 %, seed 7",
  });
  expect(sample("table", 3_000_000_000)).toEqual({
    sql: 'SELECT "A" FROM "S"."T" SAMPLE SYSTEM (0.000333) SEED (7)',
    method: "system 0.000333 %, seed 7",
  });
  expect(sample("view", 1_000_000)).toEqual({
    sql: 'SELECT "A" FROM "S"."T" WHERE MOD(ABS(HASH("A", 7)), 1000003) < 10000',
    method: "hash of the row's values 1 %, seed 7",
  });
  expect(sample("table", 100)).toEqual({ sql: 'SELECT "A" FROM "S"."T"', method: "all rows" });
});
