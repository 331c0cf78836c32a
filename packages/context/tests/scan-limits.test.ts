/** Limits of a scan besides its budget: lost connections, and statements that take too long. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NetworkError } from "@bridle/protocol";
import { StatementTimeoutError } from "@bridle/warehouse";
import { expect, onTestFinished, test } from "vitest";
import { openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import type { ScanOptions } from "../src/scan/scan-options.ts";
import { createShop } from "./support/shop.ts";
import { SqliteWarehouse } from "./support/sqlite-warehouse.ts";

test("what opening a connection again sends counts, and it is not opened if the budget does not allow that", async () => {
  const whole = open();
  const needed = (await whole.scan()).queries;
  for (const queries of [needed, needed + 4]) {
    let statements = 0;
    const shop = open({
      onStatement: () => {
        if (++statements === 3) throw new NetworkError("The connection was lost.");
      },
    });
    const sendThree = (warehouse: SqliteWarehouse) => warehouse.statements.push("SELECT 1", "SELECT 2", "SELECT 3");
    sendThree(shop.warehouse); // as if opening the connection had sent them
    const again = new SqliteWarehouse(shop.file);
    onTestFinished(() => again.close());
    const reconnect = async () => {
      sendThree(again);
      return again;
    };
    const report = await shop.scan({ reconnect, budget: { queries } });
    expect(report.queries).toBe(shop.warehouse.statements.length - 3 + again.statements.length);
    expect(report.queries).toBeLessThanOrEqual(queries);
    expect(report.missing.length > 0).toBe(queries === needed);
  }
});

test("a table that takes too long is not read again before it changes, the limit is raised, or a person asks", async () => {
  const shop = open({
    onStatement: (sql) => {
      if (/FROM "main"\."customers"/.test(sql) && limitMs < 9_000) throw new StatementTimeoutError("It took too long.");
    },
  });
  let limitMs = 5_000;
  const asked = async (options: ScanOptions = {}) => {
    const before = shop.warehouse.statements.length;
    const report = await shop.scan({ statementTimeoutMs: limitMs, ...options });
    const sent = shop.warehouse.statements.slice(before);
    return { isAsked: sent.some((sql) => sql.includes('"customers"')), report };
  };
  const problem =
    "It took longer than 5.0 s, and is tried again after a change, with --refresh, or if context.scan.seconds is raised.";
  const first = await asked();
  expect(first).toMatchObject({ isAsked: true, report: { problems: [{ table: "w.main.customers", problem }] } });
  const second = await asked();
  expect(second).toMatchObject({
    isAsked: false,
    report: { problems: [{ table: "w.main.customers", problem }], measured: 0 },
  });
  expect(second.report.unchanged).toBe(second.report.tables - 1);
  expect(await asked({ refresh: true })).toMatchObject({ isAsked: true });
  shop.warehouse.database.exec("INSERT INTO customers VALUES (777, 'x', 'y', 'z')");
  expect(await asked()).toMatchObject({ isAsked: true });
  expect(await asked()).toMatchObject({ isAsked: false });
  limitMs = 9_000;
  const last = await asked();
  expect(last).toMatchObject({ isAsked: true, report: { problems: [], missing: [], measured: 1 } });
});

test("the limit of time of a connection is that of a scan, unless the scan has its own", async () => {
  const limits: number[] = [];
  const shop = open({ onStream: ({ timeoutMs }) => limits.push(timeoutMs) });
  await shop.scan();
  Object.assign(shop.warehouse, { timeLimitMs: 7_000 });
  await shop.scan({ refresh: true });
  await shop.scan({ refresh: true, statementTimeoutMs: 8_000 });
  expect(new Set(limits)).toEqual(new Set([60_000, 7_000, 8_000]));
});

test("a question about a join that takes too long is not asked again before the limit is raised", async () => {
  let limitMs = 5_000;
  const isQuestion = (sql: string) => sql.includes("orphans");
  const shop = open({
    onStatement: (sql) => {
      if (isQuestion(sql) && limitMs < 9_000) throw new StatementTimeoutError("It took too long.");
    },
  });
  const questions = async () => {
    const before = shop.warehouse.statements.length;
    const { missing } = await shop.scan({ statementTimeoutMs: limitMs });
    return [shop.warehouse.statements.slice(before).filter(isQuestion).length, missing.length];
  };
  const [asked = 0] = await questions();
  expect(asked).toBeGreaterThan(0);
  expect(await questions()).toEqual([0, 1]);
  limitMs = 9_000;
  expect(await questions()).toEqual([asked, 0]);
});

function open(settings: ConstructorParameters<typeof SqliteWarehouse>[1] = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bridle-scan-limits-"));
  const file = join(folder, "shop.sqlite");
  createShop(file);
  const warehouse = new SqliteWarehouse(file, settings);
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  onTestFinished(async () => {
    await warehouse.close();
    facts.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { file, facts, warehouse, scan: (options: ScanOptions = {}) => scan(warehouse, facts, options) };
}
