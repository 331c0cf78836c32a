/** Metrics over earlier periods and retentions, from their files over the check and a scan to the rows of a query, against statements written by hand. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { skipsMariaDb } from "../../warehouse/tests/mysql/mariadb-server.ts";
import { type OpenedContext, openContext } from "../src/context/open-context.ts";
import { type MetricEngine, metricEngines } from "./support/metric-engines.ts";

const skipped: Readonly<Record<string, boolean>> = { PostgreSQL: skipsPostgres, MariaDB: skipsMariaDb };

const visits = (schema: string) => `name: visits
table: ${schema}.visits
primary_key: [id]
default_time: day
dimensions:
  - { name: day, type: date, expr: visited }
  - { name: age, expr: months_since_first }
measures:
  - { name: sales, agg: sum, expr: amount }
  - { name: customers, agg: count_distinct, expr: customer }
  - { name: returning, agg: count_distinct, expr: customer, filters: [months_since_first > 0] }
metrics:
  - { name: sales_before, type: offset, measure: sales, offset: { count: 1, grain: month } }
  - { name: month_over_month, type: offset, measure: sales, offset: { count: 1, grain: month }, result: growth }
  - { name: month_over_month_formula, type: derived, expr: sales / sales_before - 1 }
  - { name: month_over_month_ratio, type: ratio, numerator: sales, denominator: sales_before }
  - { name: month_over_month_nested, type: derived, expr: 100 * month_over_month_ratio }
  - { name: customers_before, type: offset, measure: customers, offset: { count: 1, grain: month } }
  - { name: kept, type: ratio, numerator: returning, denominator: customers_before }
  - { name: week_before, type: offset, measure: sales, offset: { count: 1, grain: week } }
  - { name: week_over_week, type: derived, expr: sales - week_before }
  - { name: day_before, type: offset, measure: sales, offset: { count: 1, grain: day } }
  - { name: day_over_day, type: ratio, numerator: sales, denominator: day_before }
  - { name: quarter_before, type: offset, measure: sales, offset: { count: 1, grain: quarter } }
  - { name: quarter_over_quarter, type: derived, expr: sales / quarter_before }
  - { name: retention, type: ratio, numerator: returning, denominator: customers }
  - { name: retention_formula, type: derived, expr: returning / customers }
  - { name: retention_nested, type: derived, expr: 100 * retention }
`;

/** One visit every third day for five months of three customers, of whom one begins later, and a gap in April. */
const rows = Array.from({ length: 60 }, (_, at) => {
  const date = new Date(Date.UTC(2024, 0, 2 + at * 3));
  const customer = at < 20 ? at % 2 : at % 3;
  const month = date.getUTCMonth();
  const first = customer === 2 ? 2 : 0;
  return {
    id: at + 1,
    day: date.toISOString().slice(0, 10),
    month,
    customer: `c${customer}`,
    amount: 10 + ((at * 7) % 13),
    age: Math.max(0, month - first),
  };
}).filter(({ month }) => month !== 3);

/** The value of each period, in text, by statements that every engine understands. */
function monthly(from: string): string {
  return `SELECT EXTRACT(MONTH FROM visited) AS m, SUM(amount) AS s, COUNT(DISTINCT customer) AS c, COUNT(DISTINCT CASE WHEN months_since_first > 0 THEN customer END) AS r FROM ${from} GROUP BY EXTRACT(MONTH FROM visited)`;
}

describe.each(Object.entries(metricEngines).filter(([name]) => skipped[name] !== true))("on %s", (name, start) => {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-period-metrics-"));
  let engine: MetricEngine;
  let context: OpenedContext;
  let table: string;
  beforeAll(async () => {
    engine = await start();
    table = `${engine.schema}.visits`;
    const values = rows.map(
      ({ id, day, customer, amount, age }) => `(${id}, '${day}', '${customer}', ${amount}, ${age})`,
    );
    await engine.write(
      "CREATE TABLE visits (id INTEGER PRIMARY KEY, visited DATE, customer VARCHAR(10), amount INTEGER, months_since_first INTEGER)",
      `INSERT INTO visits VALUES ${values.join(", ")}`,
    );
    mkdirSync(join(projectDir, "context/models"), { recursive: true });
    writeFileSync(join(projectDir, "context/models/visits.yaml"), visits(engine.schema));
    context = open();
    await context.scan("shop");
  });
  afterAll(async () => {
    await context?.close();
    await engine?.close();
    rmSync(projectDir, { recursive: true, force: true });
  });

  function open(): OpenedContext {
    const connector = connectors.find(({ type }) => type === engine.config.type);
    if (connector === undefined) throw new Error("There is no such connector.");
    const surroundings = { projectDir, environment: {}, logger: silentLogger };
    const connection = {
      name: "shop",
      open: () => openWarehouse({ name: "shop", connector, config: engine.config, context: surroundings }),
    };
    return openContext({
      projectDir,
      stateDir: join(projectDir, ".bridle"),
      environment: {},
      connections: [connection],
    });
  }

  async function asked(query: Parameters<OpenedContext["query"]>[0]) {
    const outcome = await context.query(query);
    if (outcome.kind !== "answered") throw new Error(JSON.stringify(outcome));
    return outcome;
  }

  /** SQLite has no EXTRACT. */
  async function byHand(sql: string): Promise<readonly (readonly (number | null)[])[]> {
    const fitted =
      name === "SQLite" ? sql.replaceAll("EXTRACT(MONTH FROM visited)", "CAST(strftime('%m', visited) AS INTEGER)") : sql;
    const result = await context.sql("shop", fitted);
    return result.rows.map((row) => row.map((value) => (value === null ? null : Number(value))));
  }

  const byMonth = { dimensions: [{ field: "visits.day", grain: "month" as const }], orderBy: ["visits.day"] };
  const near = (values: readonly (readonly (number | null)[])[]) =>
    values.map((row) => row.map((value) => (value === null ? null : expect.closeTo(value, 9))));
  const numbers = (found: readonly (readonly unknown[])[]) =>
    found.map((row) => row.slice(1).map((value) => (value === null ? null : Number(value))));

  test("the check of the files finds nothing", async () => {
    expect(await context.checkMetrics()).toMatchObject({ problems: [] });
  });

  test("month over month as an offset, a formula, a ratio and a nested metric is that of SQL", async () => {
    const measures = [
      "visits.sales",
      "visits.sales_before",
      "visits.month_over_month",
      "visits.month_over_month_formula",
      "visits.month_over_month_ratio",
      "visits.month_over_month_nested",
    ];
    const answer = await asked({ measures, ...byMonth });
    const one = monthly(table);
    const expected = await byHand(
      `SELECT t.s, b.s, (t.s - b.s) * 1.0000000000 / b.s, t.s * 1.0000000000 / b.s - 1, t.s * 1.0000000000 / b.s, 100.0000000000 * t.s / b.s FROM (${one}) t LEFT JOIN (${one}) b ON b.m = t.m - 1 ORDER BY t.m`,
    );
    const found = numbers(answer.rows).filter(([sales]) => sales !== null);
    expect(found).toEqual(near(expected));
    expect(expected.length).toBe(5);
    expect(expected.filter(([, before]) => before === null)).toHaveLength(2);
    expect(answer.assumptions.filter((each) => each.includes("of the same group"))).toEqual([]);
  });
});
