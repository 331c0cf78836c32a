import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CompiledStatement, compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import type { MetricQuery } from "../src/query/query-schema.ts";
import { allCases } from "./cases/all-cases.ts";
import type { MetricCase } from "./cases/case.ts";
import { comparableRow, sortedRows } from "./comparable-rows.ts";
import { type Row, startEngines, type TestEngine } from "./engines.ts";
import { shopModelSet } from "./shop-models.ts";
import { shopTables } from "./shop-tables.ts";

let engines: readonly TestEngine[] = [];
const models = shopModelSet();

beforeAll(async () => {
  engines = await startEngines();
  for (const engine of engines) await engine.load(shopTables);
});

afterAll(async () => {
  for (const engine of engines) await engine.close();
});

for (const [trap, cases] of Object.entries(allCases)) {
  describe(trap, () => {
    for (const each of cases) test(each.title, () => check(each));
  });
}

async function check(each: MetricCase): Promise<void> {
  if ("refused" in each) return checkRefusal(each.query, each.refused);
  const [expected, naive] = await Promise.all([each.reference, each.naive].map(runReference));
  for (const engine of engines) {
    const compiled = compileMetricQuery(models, each.query, engine.id);
    if (compiled.kind === "refused") throw new Error(`Refused: ${compiled.refusal.message}`);
    const isOrdered = each.query.orderBy !== undefined;
    const rows = comparableRows(await runOn(engine, compiled.sql), compiled, isOrdered);
    expect(rows, `${engine.id}\n${compiled.sql}`).toEqual(comparableRows(expected, compiled, isOrdered));
    expect(rows, "the naive statement").not.toEqual(comparableRows(naive, compiled, isOrdered));
    if (each.totals !== undefined) await checkTotals(engine, compiled.totals, each.totals);
  }
}

async function checkTotals(engine: TestEngine, totals: CompiledStatement | undefined, reference: string) {
  if (!totals) throw new Error("The query has no totals.");
  const [rows, expected] = [await runOn(engine, totals.sql), await runReference(reference)];
  expect(comparableRows(rows, totals), totals.sql).toEqual(comparableRows(expected, totals));
}

/** Returns rows in the query's order, if it has one. Ties follow the order of the dimensions. */
function comparableRows(rows: readonly Row[] = [], { columns }: CompiledStatement, isOrdered = false) {
  const types = columns.map(({ type }) => type);
  const comparable = rows.map((row) => comparableRow(row, types));
  return isOrdered ? comparable.map((row) => JSON.stringify(row)) : sortedRows(comparable);
}

function checkRefusal(query: MetricQuery, reason: string): void {
  for (const engine of engines) {
    const compiled = compileMetricQuery(models, query, engine.id);
    expect(compiled).toMatchObject({ kind: "refused", refusal: { reason } });
  }
}

async function runOn(engine: TestEngine, sql: string) {
  try {
    return await engine.run(sql);
  } catch (error) {
    throw new Error(`${engine.id}: ${error}\n${sql}`);
  }
}

function runReference(sql: string) {
  const engine = engines.find(({ id }) => id === "duckdb");
  if (!engine) throw new Error("DuckDB has not started.");
  return runOn(engine, sql);
}
