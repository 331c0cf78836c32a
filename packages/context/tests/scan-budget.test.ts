/** On real engines, all statements of the connection count against the query budget. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWarehouse, type Warehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sampleOf } from "../../../tests/support/soak.ts";
import { PostgresCluster, skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { skipsMariaDb } from "../../warehouse/tests/mysql/mariadb-server.ts";
import { type FactsDatabase, openFacts } from "../src/facts/open-facts.ts";
import { scan } from "../src/scan/scan.ts";
import { CutEngine } from "./bad-input/cut-engine.ts";
import { type MetricEngine, metricEngines } from "./support/metric-engines.ts";

const skipped: Readonly<Record<string, boolean>> = { PostgreSQL: skipsPostgres, MariaDB: skipsMariaDb };

/** Ends PostgreSQL's sessions during a scan. */
describe.skipIf(skipsPostgres)("on PostgreSQL, with connections that are lost", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    for (const table of ["a", "b", "c"]) await cluster.send(`CREATE TABLE ${table} AS SELECT 1 AS id`);
  });
  afterAll(() => cluster?.remove());

  test("what a connection sends again after a loss counts", async () => {
    const opened: Warehouse[] = [];
    const [connector] = connectors.filter(({ type }) => type === "postgres");
    if (connector === undefined) throw new Error("There is no such engine.");
    const cut = () =>
      cluster.send(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bridle warehouse'",
      );
    const open = async () => {
      const config = { type: "postgres", url: cluster.url, sslmode: "disable", filters: { "public.a": "id > 0" } };
      const warehouse = await openWarehouse({ name: "shop", connector, config, context: { projectDir: "/" } });
      onTestFinished(() => warehouse.close());
      opened.push(warehouse);
      return Object.assign(warehouse, { engine: new CutEngine(warehouse.engine, async () => void (await cut())) });
    };
    for (const queries of [14, 18, 22, 26, 30, 40, 80]) {
      const warehouse = await open();
      const [before, others] = [warehouse.engine.statements, opened.length];
      const report = await scan(warehouse, createFacts(), { budget: { queries }, reconnect: open });
      const again = opened.slice(others).reduce((sum, { engine }) => sum + engine.statements, 0);
      expect(warehouse.engine.statements - before + again).toBeLessThanOrEqual(queries);
      expect(report.queries).toBe(warehouse.engine.statements - before + again);
    }
  });
});

function createFacts(): FactsDatabase {
  const folder = mkdtempSync(join(tmpdir(), "bridle-scan-budget-"));
  const facts = openFacts({ file: join(folder, "facts.sqlite") });
  onTestFinished(() => {
    facts.close();
    rmSync(folder, { recursive: true });
  });
  return facts;
}

describe.each(Object.entries(metricEngines).filter(([name]) => skipped[name] !== true))("on %s", (_, start) => {
  let engine: MetricEngine;
  beforeAll(async () => {
    engine = await start();
    await engine.write(
      "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(20))",
      "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total INTEGER)",
      "INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob')",
      "INSERT INTO orders VALUES (1, 1, 5), (2, 1, 6), (3, 2, 7)",
      "CREATE VIEW totals AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id",
    );
  });
  afterAll(() => engine?.close());

  /** Opens a connection. `sent` returns the number of statements that its engine has sent since. */
  async function open(): Promise<{ warehouse: Warehouse; sent: () => number }> {
    const connector = connectors.find(({ type }) => type === engine.config.type);
    if (connector === undefined) throw new Error("There is no such engine.");
    const context = { projectDir: "/" };
    const warehouse = await openWarehouse({ name: "shop", connector, config: engine.config, context });
    onTestFinished(() => warehouse.close());
    const before = warehouse.engine.statements;
    return { warehouse, sent: () => warehouse.engine.statements - before };
  }

  test("no budget of queries is exceeded, and what it was too small for is said", async () => {
    const whole = await open();
    const { queries: needed } = await scan(whole.warehouse, createFacts());
    expect(whole.sent()).toBe(needed);
    const budgets = Array.from({ length: needed }, (_, at) => at + 1);
    for (const queries of engine.config.type === "sqlite" ? budgets : sampleOf(budgets, 7)) {
      const { warehouse, sent } = await open();
      const report = await scan(warehouse, createFacts(), { budget: { queries } });
      expect(sent()).toBeLessThanOrEqual(queries);
      expect(report.queries).toBe(sent());
      expect(report.missing.length > 0, `with ${queries} of ${needed}`).toBe(queries < needed);
      await warehouse.close();
    }
  });

  test("a budget that is too small for the structure changes no facts", async () => {
    const facts = createFacts();
    await scan((await open()).warehouse, facts);
    const before = Array.from(facts.reader.tables("shop"), ({ id }) => id);
    const report = await scan((await open()).warehouse, facts, { budget: { queries: 1 } });
    expect(report).toMatchObject({ tables: 0, measured: 0, drift: [] });
    expect(report.missing).toEqual([
      "The structure was not read: The budget of 1 query is used up. The facts of the last scan stay, so raise it.",
    ]);
    expect(Array.from(facts.reader.tables("shop"), ({ id }) => id)).toEqual(before);
    expect((await scan((await open()).warehouse, facts)).missing).toEqual([]);
  });

  test("scans with the budget of a first scan and one query more come to an end", async () => {
    const facts = createFacts();
    const { queries } = await scan((await open()).warehouse, createFacts());
    const missing: number[] = [];
    for (let scans = 0; scans < 12 && missing.at(-1) !== 0; scans++) {
      const { warehouse } = await open();
      missing.push((await scan(warehouse, facts, { budget: { queries: queries - 1 } })).missing.length);
      await warehouse.close();
    }
    expect(missing.at(-1)).toBe(0);
  });
});
