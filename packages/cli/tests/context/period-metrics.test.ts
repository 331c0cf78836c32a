/**
 * Tests metrics over earlier periods and retentions, from their files through the check and the scan to the rows of a query, against
 * handwritten statements.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validatedMetricsSchema } from "@bridle/app/metrics";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type MetricEngine, metricEngines } from "../../../context/tests/support/metric-engines.ts";
import { skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { skipsMariaDb } from "../../../warehouse/tests/mysql/mariadb-server.ts";
import { createPlace, finishCommand, type Place, startCommand } from "../support/command.ts";

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
  - { name: growth, type: offset, measure: sales, offset: { count: 1, grain: month }, result: growth }
  - { name: growth_formula, type: derived, expr: sales / sales_before - 1 }
  - { name: growth_ratio, type: ratio, numerator: sales, denominator: sales_before }
  - { name: growth_nested, type: derived, expr: 100 * growth_ratio }
  - { name: customers_before, type: offset, measure: customers, offset: { count: 1, grain: month } }
  - { name: kept, type: ratio, numerator: returning, denominator: customers_before }
  - { name: quarter_before, type: offset, measure: sales, offset: { count: 1, grain: quarter } }
  - { name: by_quarter, type: derived, expr: sales / quarter_before }
  - { name: week_before, type: offset, measure: sales, offset: { count: 1, grain: week } }
  - { name: by_week, type: derived, expr: sales - week_before }
  - { name: day_before, type: offset, measure: sales, offset: { count: 1, grain: day } }
  - { name: by_day, type: ratio, numerator: sales, denominator: day_before }
  - { name: retention, type: ratio, numerator: returning, denominator: customers }
  - { name: retention_formula, type: derived, expr: returning / customers }
  - { name: retention_nested, type: derived, expr: 100 * retention_formula }
`;

const dayMs = 86_400_000;

/**
 * Visits by three customers in five months, January to June without April. One customer's first visit is in March. `week` counts weeks from
 * a Monday.
 */
const rows = Array.from({ length: 75 }, (_, at) => {
  const date = new Date(Date.UTC(2024, 0, 1) + Math.floor(at * 2.1) * dayMs);
  const month = date.getUTCMonth() + 1;
  const customer = month < 3 ? at % 2 : at % 3;
  const number = (date.getTime() - Date.UTC(2024, 0, 1)) / dayMs;
  return {
    id: at + 1,
    visited: date.toISOString().slice(0, 10),
    month,
    quarter: Math.ceil(month / 3),
    week: Math.floor(number / 7),
    number,
    customer: `c${customer}`,
    amount: 10 + ((at * 7) % 13),
    age: Math.max(0, month - (customer === 2 ? 3 : 1)),
  };
}).filter(({ month }) => month !== 4);

/** Returns a query that joins each period of the rows with the previous period. */
function besideTheOneBefore(table: string, period: string, values: string): string {
  const counts =
    "SUM(amount) AS s, COUNT(DISTINCT customer) AS c, COUNT(DISTINCT CASE WHEN months_since_first > 0 THEN customer END) AS r";
  const periods = `SELECT ${period}_no AS p, ${counts} FROM ${table} GROUP BY ${period}_no`;
  return `SELECT t.p, ${values} FROM (${periods}) t LEFT JOIN (${periods}) b ON b.p = t.p - 1 ORDER BY t.p`;
}

const tableSchema = z.object({
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  assumptions: z.array(z.string()).optional(),
});

const engines = Object.entries(metricEngines).filter(([name]) => skipped[name] !== true);

describe.each(engines)("on %s", (_, start) => {
  let place: Place;
  let engine: MetricEngine;
  let table: string;
  beforeAll(async () => {
    [place, engine] = await Promise.all([createPlace(), start()]);
    table = `${engine.schema}.visits`;
    const values = rows.map(
      ({ id, visited, month, quarter, week, number, customer, amount, age }) =>
        `(${id}, '${visited}', ${month}, ${quarter}, ${week}, ${number}, '${customer}', ${amount}, ${age})`,
    );
    await engine.write(
      "CREATE TABLE visits (id INTEGER PRIMARY KEY, visited DATE, month_no INTEGER, quarter_no INTEGER, week_no INTEGER, day_no INTEGER, customer VARCHAR(10), amount INTEGER, months_since_first INTEGER)",
      `INSERT INTO visits VALUES ${values.join(", ")}`,
    );
    mkdirSync(join(place.project, "context/models"), { recursive: true });
    writeFileSync(join(place.project, "context/models/visits.yaml"), visits(engine.schema));
    const config = { context: { connections: { shop: engine.config } } };
    writeFileSync(join(place.project, "bridle.yaml"), JSON.stringify(config));
    await output("context", "scan");
  }, 240_000);
  afterAll(async () => {
    await engine?.close();
    await place?.remove();
  });

  async function output(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await finishCommand(startCommand(words, place));
    if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** Returns the numbers of a query, without its periods and without periods that have no rows. */
  async function asked(measures: readonly string[], by: string) {
    const names = measures.map((name) => `visits.${name}`);
    const answer = tableSchema.parse(
      JSON.parse(await output("query", ...names, "--by", by, "--order", by.replace(/:.*/, ""), "--json")),
    );
    const found = answer.rows.map((row) => row.slice(1).map(numberOf)).filter(([first]) => first !== null);
    return { rows: found, assumptions: answer.assumptions ?? [] };
  }

  async function byHand(sql: string) {
    const { rows } = tableSchema.parse(JSON.parse(await output("sql", "shop", sql, "--json")));
    return rows.map((row) => row.slice(1).map(numberOf));
  }

  test("the check of the files and of the data finds nothing", async () => {
    const checked = validatedMetricsSchema.parse(JSON.parse(await output("metrics", "validate", "--json")));
    expect(checked).toMatchObject({ ok: true, problems: [], violations: [] });
    expect(checked.measures.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });

  test("month over month as an offset, a formula, a ratio and a metric of a ratio are the numbers of SQL", async () => {
    const measures = ["sales", "sales_before", "growth", "growth_formula", "growth_ratio", "growth_nested", "kept"];
    const answer = await asked(measures, "visits.day:month");
    const values =
      "t.s, b.s, (t.s - b.s) * 1.00000000 / b.s, t.s * 1.00000000 / b.s - 1, t.s * 1.00000000 / b.s, t.s * 100.00000000 / b.s, t.r * 1.00000000 / b.c";
    const expected = await byHand(besideTheOneBefore(table, "month", values));
    expect(answer.rows).toEqual(near(expected));
    expect(expected.map(([, before]) => before === null)).toEqual([true, false, false, true, false]);
    expect(answer.assumptions.filter((each) => each.includes("of the same group"))).toEqual([
      expect.stringContaining("visits.kept divides by customers_before of the same group"),
    ]);
  });

  test.each(["quarter", "week", "day"])("a %s is compared with the one before as SQL does it", async (period) => {
    const values = {
      quarter: "t.s, t.s * 1.00000000 / b.s",
      week: "t.s, t.s - b.s",
      day: "t.s, t.s * 1.00000000 / b.s",
    }[period];
    const answer = await asked(["sales", `by_${period}`], `visits.day:${period}`);
    expect(answer.rows).toEqual(near(await byHand(besideTheOneBefore(table, period, values ?? ""))));
  });

  test("a retention by the dimension that chooses its numerator states that both sides are grouped by it", async () => {
    const names = ["retention", "retention_formula", "retention_nested"];
    const answer = await asked(names, "visits.age");
    const rate = "COUNT(DISTINCT CASE WHEN months_since_first > 0 THEN customer END) * 1.0 / COUNT(DISTINCT customer)";
    const expected = await byHand(
      `SELECT months_since_first, ${rate}, ${rate}, 100 * ${rate} FROM ${table} GROUP BY months_since_first ORDER BY months_since_first`,
    );
    expect(answer.rows).toEqual(near(expected));
    expect(expected.slice(1).every(([value]) => value === 1)).toBe(true);
    expect(answer.assumptions.filter((each) => each.includes("of the same group"))).toEqual([
      expect.stringContaining("visits.retention divides by customers of the same group"),
      expect.stringContaining("visits.retention_formula divides by customers of the same group"),
    ]);
    const { stderr } = await finishCommand(
      startCommand(["query", "visits.retention_nested", "--by", "visits.age"], place),
    );
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("Assumed: visits.retention_formula divides by customers");
  });
});

function numberOf(value: string | number | null): number | null {
  return value === null ? null : Number(value);
}

function near(expected: readonly (readonly (number | null)[])[]) {
  return expected.map((row) => row.map((value) => (value === null ? null : expect.closeTo(value, 4))));
}
