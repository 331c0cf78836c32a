import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { expect, onTestFinished, test } from "vitest";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { createShop } from "./support/shop.ts";

test("a scan over the SQLite connector finds joins, keeps to the scope, and masks what it recognised", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-scan-connector-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  createShop(join(folder, "shop.sqlite"));
  const connector = connectors.find(({ type }) => type === "sqlite");
  if (connector === undefined) throw new Error("There is no connector for SQLite.");
  const warehouse = await openWarehouse({
    name: "shop",
    connector,
    config: { type: "sqlite", file: "shop.sqlite", exclude: ["main.empty_one"] },
    context: { projectDir: folder },
  });
  onTestFinished(() => warehouse.close());
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  onTestFinished(() => facts.close());
  const report = await scan(warehouse, facts);
  expect(report).toMatchObject({ tables: 4, measured: 4, problems: [], missing: [] });
  expect(report.queries).toBeLessThanOrEqual(4 * report.tables + report.joins + report.review);
  expect(facts.reader.table("shop.main.empty_one")).toBeUndefined();
  const links = facts.reader.joins().filter(({ status }) => status === "accepted");
  expect(links.map(({ from, to }) => `${from.table}.${from.columns} → ${to.table}`)).toEqual([
    "shop.main.order_lines.order_id → shop.main.orders",
    "shop.main.order_lines.product_id → shop.main.products",
    "shop.main.orders.customer_id → shop.main.customers",
  ]);
  const { rows, masked } = await warehouse.query("SELECT contact FROM customers LIMIT 1");
  expect(masked).toEqual(["main.customers.contact"]);
  expect(String(rows[0]?.[0])).not.toContain("example");
  expect(await scan(warehouse, facts)).toMatchObject({ measured: 0, drift: [] });
});
