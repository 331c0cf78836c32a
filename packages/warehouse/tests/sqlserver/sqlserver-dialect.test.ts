import { describe, expect, test } from "vitest";
import { sqlserverDialect } from "../../src/connectors/sqlserver/dialect/sqlserver-dialect.ts";
import { errorOf, resolveIn } from "../support/reading.ts";
import { sqlserverReads, sqlserverRefusals } from "./sqlserver-statements.ts";

describe("statements of SQL Server", () => {
  test("at least 150 statements are tried", () => {
    expect(new Set([...sqlserverReads, ...sqlserverRefusals]).size).toBeGreaterThanOrEqual(150);
  });

  test.each(sqlserverReads)("the parser reads, and reads again what it wrote: %j", async (sql) => {
    const checked = await sqlserverDialect.check(sql, resolveIn("dbo"));
    const again = await sqlserverDialect.check(checked, resolveIn("dbo"));
    expect(again).toEqual(checked);
  });

  test.each(sqlserverRefusals)("the parser refuses: %j", async (sql) => {
    expect(await errorOf(sqlserverDialect.check(sql, resolveIn("dbo")))).toMatchObject({ reason: expect.any(String) });
  });

  test("tables are replaced, and the rest of the text stays", async () => {
    const sql =
      "select  TOP 3 dbo.orders.id, o2.* from dbo.orders, [orders] AS o2 with (nolock) -- all\nwhere dbo.orders.id > 1";
    const relation = "(SELECT * FROM [dbo].[orders] WHERE [id] = 2)";
    const checked = await sqlserverDialect.check(sql, resolveIn("dbo"));
    expect(checked).toBe(
      "select  TOP 3 dbo.orders.id, o2.* from [dbo].[orders], [dbo].[orders] AS o2 with (nolock)  \nwhere dbo.orders.id > 1",
    );
    const filtered = await sqlserverDialect.check(
      "select dbo.orders.id from dbo.orders",
      resolveIn("dbo", { orders: relation }),
    );
    expect(filtered).toBe(`select orders.id from ${relation} AS [orders]`);
  });

  test("a common table expression is no table, but the same name with a schema is", async () => {
    const found: string[] = [];
    const sql = "WITH orders AS (SELECT 1 AS a) SELECT * FROM orders, dbo.orders, [Orders]";
    await sqlserverDialect.check(sql, resolveIn("dbo", {}, found));
    expect(found).toEqual(["dbo.orders", "Orders"]);
  });

  test("names and texts are quoted, whatever they contain", () => {
    expect(sqlserverDialect.quoteTable({ schema: "a]b", table: "c.d; --" })).toBe("[a]]b].[c.d; --]");
    expect(sqlserverDialect.quoteText("it's")).toBe("N'it''s'");
    expect(sqlserverDialect.quoteText("a\\\nb")).toBe("(N'a' + NCHAR(92) + N'\nb')");
  });

  test("a condition names only columns of its table", async () => {
    await sqlserverDialect.checkCondition("[region] = 'EU' AND amount > 3", ["Region", "amount"]);
    for (const condition of [
      "region = (SELECT 1)",
      "other = 1",
      "1 = 1; SELECT 2",
      "dbo.orders.region = 'EU'",
      "1 = 1) OR (1 = 1",
    ])
      expect(await errorOf(sqlserverDialect.checkCondition(condition, ["region"]))).toMatchObject({
        reason: expect.any(String),
      });
  });

  test("a sample is written with its method, and its column collides with none", () => {
    const { sql, method } = sqlserverDialect.selectSample({ schema: "dbo", table: "t" }, ["position"], {
      rows: 10,
      of: 1000,
      seed: 7,
    });
    expect(method).toBe("hash of the row's position 1 %, seed 7");
    expect(sql).toContain(
      "AS [position_] FROM [dbo].[t]) AS s WHERE (([position_] % 1000003) * 618034 + 7) % 1000003 < 10000",
    );
  });
});

test("decimals of SQL Server that the driver cannot read exactly are sampled as text", () => {
  const types = { id: "int", price: "decimal(12,2)", amount: "decimal(38,18)", paid: "money" };
  const columns = Object.entries(types).map(([name, nativeType]) => ({
    name,
    nativeType,
    nullable: true,
    type: name === "id" ? ("integer" as const) : ("decimal" as const),
  }));
  const { sql } = sqlserverDialect.selectSample({ schema: "dbo", table: "t", columns }, Object.keys(types));
  expect(sql).toBe(
    "SELECT [id], [price], CONVERT(varchar(50), [amount]) AS [amount], CONVERT(varchar(50), [paid], 2) AS [paid] FROM [dbo].[t]",
  );
});
