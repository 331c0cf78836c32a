import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { Dialect, parse } from "@polyglot-sql/sdk";
import { expect, onTestFinished, test } from "vitest";
import { type SnowflakeAnswer, SnowflakeServer } from "../../warehouse/tests/snowflake/snowflake-server.ts";
import { findDialect } from "../src/facts/find-dialect.ts";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import type { ScanOptions } from "../src/scan/scan-options.ts";
import { createShop } from "./support/shop.ts";
import { SnowflakeShop } from "./support/snowflake-shop.ts";

type Change = (sql: string, answer: () => SnowflakeAnswer) => SnowflakeAnswer;

/** Opens a shop behind the connector. `change` may replace the shop's answers. */
async function openShop(change: Change = (_, answer) => answer()) {
  const folder = mkdtempSync(join(tmpdir(), "bridle-snowflake-scan-"));
  createShop(join(folder, "shop.sqlite"));
  const shop = new SnowflakeShop(join(folder, "shop.sqlite"));
  const server = await SnowflakeServer.start((sql) => change(sql, () => shop.answer(sql)));
  const connector = connectors.find(({ type }) => type === "snowflake");
  if (connector === undefined) throw new Error("There is no connector for Snowflake.");
  const config = { type: "snowflake", account: "a", token: "right", database: "shop", endpoint: server.endpoint };
  const open = async () => {
    const opened = await openWarehouse({ name: "w", connector, config, context: { projectDir: folder } });
    onTestFinished(() => opened.close());
    return opened;
  };
  const warehouse = await open();
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  onTestFinished(() => {
    server.close();
    facts.close();
    shop.database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { shop, facts, open, scan: (options?: ScanOptions) => scan(warehouse, facts, options) };
}

const snowflake = findDialect({ dialect: "snowflake" });

/** Parses a statement with the connector's grammar, and with another project's parser. */
async function checkStatement(sql: string): Promise<void> {
  const resolve = (name: readonly string[]) => ({ schema: name.at(-2) ?? "", table: name.at(-1) ?? "" });
  await snowflake.check(sql, { resolve });
  const { success, error } = parse(sql, Dialect.Snowflake);
  expect([success, error ?? ""], sql).toEqual([true, ""]);
}

test("a scan over the Snowflake connector finds keys and joins, with statements that are SQL of Snowflake", async () => {
  const { shop, facts, scan } = await openShop();
  const report = await scan();
  expect(report).toMatchObject({ tables: 5, measured: 5, problems: [], missing: [] });
  const links = facts.reader.joins().filter(({ status }) => status === "accepted");
  expect(links.map(({ from, to }) => `${from.table}.${from.columns} → ${to.table}`)).toEqual([
    "w.main.order_lines.order_id → w.main.orders",
    "w.main.order_lines.product_id → w.main.products",
    "w.main.orders.customer_id → w.main.customers",
  ]);
  expect(facts.reader.table("w.main.orders")?.key).toMatchObject({ columns: ["order_id"], declared: false });
  expect(shop.statements.length).toBeGreaterThan(5);
  for (const sql of shop.statements) await checkStatement(sql);
  expect(await scan()).toMatchObject({ measured: 0, drift: [] });
});

test("a scan of samples over the Snowflake connector states how they were drawn", async () => {
  const { shop, facts, scan } = await openShop();
  shop.database.exec("CREATE VIEW latest AS SELECT * FROM orders");
  await scan({ sampleRows: 50 });
  expect(facts.reader.table("w.main.orders")?.sample).toBe("bernoulli 25 %, seed 7");
  expect(facts.reader.table("w.main.latest")?.sample).toBe("the first 100 rows");
  for (const sql of shop.statements) await checkStatement(sql);
});

test("a table of Snowflake that may not be read and a view that fails are problems of a scan, and the rest is scanned", async () => {
  const { facts, scan } = await openShop((sql, answer) => {
    if (!sql.startsWith("SELECT") || sql.includes("INFORMATION_SCHEMA")) return answer();
    if (sql.includes('"products"'))
      return { error: ["003001", "SQL access control error:\nInsufficient privileges to operate on table 'PRODUCTS'"] };
    if (sql.includes('"empty_one"')) return { error: ["002037", "Failure during expansion of view 'EMPTY_ONE'"] };
    return answer();
  });
  const { problems, measured } = await scan();
  expect(measured).toBe(3);
  expect(problems.map(({ table }) => table).sort()).toEqual(["w.main.empty_one", "w.main.products"]);
  expect(facts.reader.table("w.main.orders")).toMatchObject({ rows: 200 });
});

test("a connection to Snowflake that is lost in the middle of a result is opened again, and the scan continues", async () => {
  let cuts = 0;
  const { facts, scan, open } = await openShop((sql, answer) => {
    const isCut = sql.startsWith("SELECT") && sql.includes('FROM "main"."order_lines"') && cuts === 0;
    if (isCut) cuts += 1;
    return isCut ? { ...answer(), cutAt: 1 } : answer();
  });
  expect(await scan({ reconnect: open })).toMatchObject({ measured: 5, problems: [], missing: [] });
  expect(cuts).toBe(1);
  expect(facts.reader.table("w.main.order_lines")).toMatchObject({ rows: 500 });
});
