import { StatementRefusedError } from "@bridle/sql";
import { describe, expect, test } from "vitest";
import { bigqueryDialect } from "../../src/connectors/bigquery/dialect/bigquery-dialect.ts";
import type { StatementContext } from "../../src/port/dialect.ts";
import { errorOf } from "../support/reading.ts";
import { bigqueryReads, bigqueryRefusals } from "./bigquery-statements.ts";

const known = new Set(["orders", "customers", "items"]);

function resolve(relations: Readonly<Record<string, string>> = {}): StatementContext {
  return {
    resolve(name) {
      const [table = "", schema = "shop", project = "shop-data", ...rest] = name.toReversed();
      const isPublic = project === "public-data" && schema === "shop" && table === "items" && rest.length === 0;
      const isOwn = known.has(table) && schema === "shop" && project === "shop-data" && rest.length === 0;
      if (!isOwn && !isPublic)
        throw new StatementRefusedError(`There is no table ${name.join(".")}.`, { reason: "unknown_name" });
      return { schema: isPublic ? `${project}.${schema}` : schema, table, relation: relations[table] };
    },
  };
}

const check = (sql: string, relations?: Readonly<Record<string, string>>) =>
  bigqueryDialect.check(sql, resolve(relations));

describe("statements of BigQuery", () => {
  test("at least 150 statements of BigQuery are tried", () => {
    expect(new Set([...bigqueryReads, ...bigqueryRefusals.map(([sql]) => sql)]).size).toBeGreaterThanOrEqual(150);
  });

  test.each(bigqueryReads)("the parser reads, and reads again what it wrote: %j", async (sql) => {
    const checked = await check(sql);
    expect(await check(checked)).toBe(checked);
  });

  test.each(bigqueryReads)("each table is read through what the caller may see: %j", async (sql) => {
    const relation = "(SELECT * FROM `shop`.`customers` WHERE id = 2)";
    const replaced = await check(sql, { orders: relation });
    expect(replaced).not.toContain("`shop`.`orders`");
  });

  test.each(bigqueryRefusals)("the parser refuses: %j", async (sql) => {
    expect(await errorOf(check(sql))).toBeInstanceOf(StatementRefusedError);
  });

  test("tables of BigQuery are replaced by their full names or by what the caller may see", async () => {
    const relation = "(SELECT * FROM `shop`.`orders` WHERE id = 2)";
    const sql = "SELECT orders.id FROM `shop-data.shop.orders`, shop.orders AS o # all";
    expect(await check(sql)).toBe("SELECT orders.id FROM `shop`.`orders`, `shop`.`orders` AS o");
    expect(await check("SELECT shop.orders.id FROM shop.orders", { orders: relation })).toBe(
      `SELECT orders.id FROM ${relation} AS \`orders\``,
    );
  });

  test("a dataset of another project is a schema with the name of its project", async () => {
    const full = "SELECT * FROM `public-data`.`shop`.`items`";
    expect(await check("SELECT * FROM `public-data.shop.items`")).toBe(full);
    expect(await check("SELECT * FROM `public-data`.shop.items")).toBe(full);
    expect(await errorOf(check("SELECT * FROM `other-data.shop.items`"))).toBeInstanceOf(StatementRefusedError);
  });

  test("names and texts of BigQuery are quoted, whatever they contain", () => {
    expect(bigqueryDialect.quoteIdentifier("a`b\\c\n")).toBe("`a\\`b\\\\c\\n`");
    expect(bigqueryDialect.quoteTable({ schema: "p.x`.d", table: "t` --" })).toBe("`p.x\\``.`d`.`t\\` --`");
    expect(bigqueryDialect.quoteText('it\'s \\ "x" `\r\n\0')).toBe("'it\\'s \\\\ \"x\" \\`\\r\\n\\x00'");
  });

  test("a digest of BigQuery keeps NULL, and contains the key only as a text", () => {
    const sql = bigqueryDialect.digest("`a`", "k'");
    expect(sql).toMatch(/^IF\(`a` IS NULL, NULL, SUBSTR\(TO_HEX\(SHA256\(CONCAT\('k\\'', /);
  });

  test("a sample of BigQuery is a hash of the rows, and some blocks of a large table", () => {
    const name = { schema: "shop", table: "orders", kind: "table" } as const;
    const sample = (of: number) => bigqueryDialect.selectSample(name, ["id"], { rows: 1_000, of, seed: 7 });
    expect(bigqueryDialect.selectSample(name, ["id"])).toEqual({
      sql: "SELECT `id` FROM `shop`.`orders`",
      method: "all rows",
    });
    expect(sample(100_000)).toEqual({
      sql: "SELECT `id` FROM `shop`.`orders` WHERE MOD(FARM_FINGERPRINT(CONCAT('7 ', TO_JSON_STRING(STRUCT(`id`)))) & 0x7FFFFFFFFFFFFFFF, 1000003) < 10000",
      method: "hash of the row's values 1 %, seed 7",
    });
    expect(sample(1e9)).toEqual({
      sql: "SELECT `id` FROM `shop`.`orders` TABLESAMPLE SYSTEM (1 PERCENT)",
      method: "system 1 %, without a seed",
    });
    expect(
      bigqueryDialect.selectSample({ ...name, kind: "view" }, ["id"], { rows: 1, of: 1e9, seed: 7 }).method,
    ).toMatch(/^hash/);
  });

  test("a row filter of BigQuery is one condition over columns of its table", async () => {
    const accepted = [
      "region = 'EU'",
      "lower(region) LIKE 'e%' AND amount > 1.5",
      "SAFE.PARSE_DATE('%Y', region) IS NULL",
    ];
    for (const condition of accepted) await bigqueryDialect.checkCondition(condition, ["region", "amount"]);
    const refused = [
      "region IN (SELECT name FROM shop.customers)",
      "ARRAY(SELECT 1)[OFFSET(0)] = 1",
      "EXISTS (SELECT 1)",
      "secret = 1",
      "region = 'EU') OR (1 = 1",
      "region = '''EU'''",
      "",
    ];
    for (const condition of refused)
      expect(await errorOf(bigqueryDialect.checkCondition(condition, ["region"])), condition).toBeInstanceOf(
        StatementRefusedError,
      );
  });
});
