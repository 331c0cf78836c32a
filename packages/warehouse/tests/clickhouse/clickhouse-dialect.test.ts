import { StatementRefusedError } from "@bridle/sql";
import { describe, expect, test } from "vitest";
import { clickhouseDialect } from "../../src/connectors/clickhouse/dialect/clickhouse-dialect.ts";
import type { StatementContext } from "../../src/port/dialect.ts";
import { errorOf } from "../support/reading.ts";
import { clickhouseReads, clickhouseRefusals } from "./clickhouse-statements.ts";

const known = new Set(["orders", "customers", "items"]);

function resolve(relations: Readonly<Record<string, string>> = {}): StatementContext {
  return {
    resolve(name) {
      const table = name.at(-1) ?? "";
      if (!known.has(table) || !["shop", undefined].includes(name.at(-2)))
        throw new StatementRefusedError(`There is no table ${name.join(".")}.`, { reason: "unknown_name" });
      return { schema: "shop", table, relation: relations[table] };
    },
  };
}

describe("statements of ClickHouse", () => {
  test("at least 150 statements of ClickHouse are tried", () => {
    expect(new Set([...clickhouseReads, ...clickhouseRefusals]).size).toBeGreaterThanOrEqual(150);
  });

  test.each(clickhouseReads)("the parser reads, and reads again what it wrote: %j", async (sql) => {
    const checked = await clickhouseDialect.check(sql, resolve());
    expect(await clickhouseDialect.check(checked, resolve())).toEqual(checked);
  });

  test.each(clickhouseRefusals)("the parser refuses: %j", async (sql) => {
    expect(await errorOf(clickhouseDialect.check(sql, resolve()))).toBeInstanceOf(StatementRefusedError);
  });

  test("tables of ClickHouse are replaced by their full names or by what the caller may see", async () => {
    const relation = "(SELECT * FROM `shop`.`orders` WHERE id = 2)";
    const sql = "SELECT shop.orders.id FROM shop.orders, orders AS o FINAL -- all";
    expect(await clickhouseDialect.check(sql, resolve())).toBe(
      "SELECT shop.orders.id FROM `shop`.`orders`, `shop`.`orders` AS o FINAL",
    );
    expect(await clickhouseDialect.check("SELECT shop.orders.id FROM shop.orders", resolve({ orders: relation }))).toBe(
      `SELECT orders.id FROM ${relation} AS \`orders\``,
    );
  });

  test("a name after IN is refused with what to write instead, because it is a table there", async () => {
    expect(await errorOf(clickhouseDialect.check("SELECT 1 IN (secret)", resolve()))).toMatchObject({
      reason: "effect",
      message: "A name after IN is a table here. Write a list of values, or a subquery with SELECT.",
    });
    expect(await errorOf(clickhouseDialect.checkCondition("id IN secret", ["id", "secret"]))).toMatchObject({
      reason: "effect",
    });
  });

  test("names and texts of ClickHouse are quoted, whatever they contain", () => {
    expect(clickhouseDialect.quoteTable({ schema: "a`b", table: "c\\d" })).toBe("`a\\`b`.`c\\\\d`");
    expect(clickhouseDialect.quoteText("it's \\ \0")).toBe("'it\\'s \\\\ \\0'");
  });

  test("a condition of ClickHouse names only columns of its table", async () => {
    await clickhouseDialect.checkCondition("region = 'EU' AND has([1, 2], amount) AND amount::Int64 IN (1, 2)", [
      "region",
      "amount",
    ]);
    for (const condition of ["region IN (SELECT 1)", "other = 1", "1 = 1; SELECT 2", "1 = 1) OR (1 = 1"])
      expect(await errorOf(clickhouseDialect.checkCondition(condition, ["region"]))).toBeInstanceOf(
        StatementRefusedError,
      );
  });

  test("a sample of ClickHouse is repeatable and written with its method", () => {
    expect(
      clickhouseDialect.selectSample({ schema: "shop", table: "t" }, ["a"], { rows: 10, of: 1000, seed: 7 }),
    ).toEqual({
      sql: "SELECT `a` FROM `shop`.`t` WHERE cityHash64(toString(tuple(`a`)), 7) % 1000003 < 10000",
      method: "hash of the row's values 1 %, seed 7",
    });
  });
});
