import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { openWarehouse, type SqlDialect, type ValueType, valueTypes } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { Dialect, parse } from "@polyglot-sql/sdk";
import { expect, onTestFinished, test } from "vitest";
import { findDialect } from "../src/facts/find-dialect.ts";
import { openFacts } from "../src/facts/open-facts.ts";
import { countOrphansSql, countTuplesSql } from "../src/scan/join-questions.ts";
import { scan } from "../src/scan/scan.ts";
import type { ScanOptions } from "../src/scan/scan-options.ts";
import { BigQueryService } from "./support/bigquery-service.ts";
import { createShop } from "./support/shop.ts";
import { SqliteWarehouse } from "./support/sqlite-warehouse.ts";

const bigquery = findDialect({ dialect: "bigquery" });
const sqlite = findDialect({ dialect: "sqlite" });

/** Parses a statement with the connector's grammar, and with another project's parser. */
async function checkStatement(sql: string): Promise<void> {
  const resolve = (name: readonly string[]) => ({ schema: name.at(-2) ?? "", table: name.at(-1) ?? "" });
  await bigquery.check(sql, { resolve });
  const { success, error } = parse(sql, Dialect.BigQuery);
  expect([success, error ?? ""], sql).toEqual([true, ""]);
}

const named = (type: ValueType) => ({
  relation: bigquery.quoteTable({ schema: "shop", table: "t`\\" }),
  columns: [{ name: `${type} 'x`, type, nativeType: type }],
});

test.each(valueTypes)("questions about keys and links with a column of type %s are SQL of BigQuery", async (type) => {
  const plain = { relation: "`shop`.`orders`", columns: [{ name: type, type, nativeType: type }] };
  await checkStatement(countTuplesSql(bigquery, plain, [[type], [type]]));
  for (const other of valueTypes)
    await checkStatement(
      countOrphansSql(
        bigquery,
        plain,
        { relation: "`shop`.`items`", columns: [{ name: "b", type: other, nativeType: other }] },
        true,
      ),
    );
  expect(parse(countTuplesSql(bigquery, named(type), [[`${type} 'x`]]), Dialect.BigQuery).success).toBe(true);
});

test("values of BigQuery without an equality of their own are compared as JSON", () => {
  const sql = countTuplesSql(
    bigquery,
    { relation: "`t`", columns: [{ name: "a", type: "json", nativeType: "JSON" }] },
    [["a"]],
  );
  expect(sql).toContain("NULLIF(TO_JSON_STRING(r.`a`), 'null') AS k0");
});

/** Replaces BigQuery names in the statements of a scan with their SQLite names. */
function translate(sql: string): string {
  return sql.replaceAll("SAFE_CAST(", "CAST(").replaceAll(" AS STRING)", " AS TEXT)");
}

function addFunctions(database: DatabaseSync): void {
  const write = (...values: readonly SQLInputValue[]) => JSON.stringify(values.map(String));
  const hash = (text: SQLInputValue) => createHash("sha256").update(String(text)).digest().readBigInt64LE();
  database.function("STRUCT", { varargs: true, deterministic: true }, write);
  database.function("TO_JSON_STRING", { deterministic: true }, (value: SQLInputValue) => value);
  database.function("FARM_FINGERPRINT", { deterministic: true }, hash);
  const sha256 = (text: SQLInputValue) => createHash("sha256").update(String(text)).digest("hex");
  database.function("SHA256", { deterministic: true }, sha256);
  database.function("TO_HEX", { deterministic: true }, (text: SQLInputValue) => text);
}

async function scanAs(dialect: SqlDialect, options: ScanOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bridle-bigquery-scan-"));
  createShop(join(folder, "shop.sqlite"));
  const settings = { dialect, ...(dialect === bigquery ? { translate } : {}) };
  const warehouse = new SqliteWarehouse(join(folder, "shop.sqlite"), settings);
  addFunctions(warehouse.database);
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  onTestFinished(async () => {
    await warehouse.close();
    facts.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const report = await scan(warehouse, facts, options);
  const joins = facts.reader.joins().map(({ from, to, status, score }) => ({ from, to, status, score }));
  return {
    report,
    joins,
    keys: [...facts.reader.tables()].map(({ key }) => key),
    statements: warehouse.statements,
    facts,
  };
}

test("a scan with the SQL of BigQuery finds the keys and joins that it finds with that of SQLite", async () => {
  const [one, other] = [await scanAs(bigquery), await scanAs(sqlite)];
  expect(one.report).toMatchObject({ measured: 5, problems: [], missing: [] });
  expect([one.joins, one.keys]).toEqual([other.joins, other.keys]);
  expect(one.statements.length).toBeGreaterThan(5);
  for (const sql of one.statements) await checkStatement(sql);
});

test("a scan of samples with the SQL of BigQuery reads what parsers of BigQuery read", async () => {
  const { report, statements, facts } = await scanAs(bigquery, { sampleRows: 50 });
  expect(report).toMatchObject({ measured: 5, problems: [], missing: [] });
  expect(facts.reader.table("w.main.orders")).toMatchObject({
    rows: 200,
    sample: expect.stringMatching(/^hash of the row's values 25 %, seed 7/),
  });
  expect(statements.some((sql) => sql.includes("FARM_FINGERPRINT"))).toBe(true);
  for (const sql of statements) await checkStatement(sql);
});

test("a scan over the connector of BigQuery finds joins, masks what it recognised, and reads nothing twice", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-bigquery-service-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  createShop(join(folder, "shop.sqlite"));
  const service = new BigQueryService(join(folder, "shop.sqlite"), translate);
  onTestFinished(() => service.close());
  addFunctions(service.database);
  const connector = connectors.find(({ type }) => type === "bigquery");
  if (connector === undefined) throw new Error("There is no connector for BigQuery.");
  const warehouse = await openWarehouse({
    name: "shop",
    connector,
    config: {
      type: "bigquery",
      project: "shop-data",
      token: "t",
      endpoint: await service.start(),
      exclude: ["main.empty_one"],
    },
    context: { projectDir: folder },
  });
  onTestFinished(() => warehouse.close());
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  onTestFinished(() => facts.close());
  const report = await scan(warehouse, facts);
  expect(report).toMatchObject({ tables: 4, measured: 4, problems: [], missing: [] });
  const links = facts.reader.joins().filter(({ status }) => status === "accepted");
  expect(links.map(({ from, to }) => `${from.table}.${from.columns} → ${to.table}`)).toEqual([
    "shop.main.order_lines.order_id → shop.main.orders",
    "shop.main.order_lines.product_id → shop.main.products",
    "shop.main.orders.customer_id → shop.main.customers",
  ]);
  for (const sql of service.ran) await checkStatement(sql);
  expect(await scan(warehouse, facts)).toMatchObject({ measured: 0, queries: 0, drift: [] });
  const { rows, masked } = await warehouse.query("SELECT contact FROM customers WHERE contact IS NOT NULL LIMIT 1");
  expect([masked, rows[0]?.[0]]).toEqual([["main.customers.contact"], expect.stringMatching(/^[0-9a-f]{32}$/)]);
});
