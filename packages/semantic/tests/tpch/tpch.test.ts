import { afterAll, beforeAll, expect, test } from "vitest";
import { compileMetricQuery } from "../../src/compile/compile-metric-query.ts";
import { comparableRow, sortedRows } from "../comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../engines.ts";
import { tpchModels } from "./tpch-models.ts";
import { queriesOutside, referenceFor, tpchQueries } from "./tpch-queries.ts";
import { tpchTables } from "./tpch-tables.ts";

const tables = tpchTables(0.003);
const models = tpchModels(tables);
const withRows = new Set<number>();
let engines: readonly TestEngine[] = [];

beforeAll(async () => {
  engines = await startLocalEngines();
  for (const engine of engines) await engine.load(tables);
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

test.each(tpchQueries)("query $number of TPC-H has the rows of the statement by hand", async (each) => {
  const duckdb = engines.find(({ id }) => id === "duckdb");
  for (const engine of engines) {
    const compiled = compileMetricQuery(models, each.query, engine.id);
    if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
    const types = compiled.columns.map(({ type }) => type);
    const [rows, expected] = [await engine.run(compiled.sql), (await duckdb?.run(referenceFor(each))) ?? []];
    const comparable = (all: typeof rows) => sortedRows(all.map((row) => comparableRow(row, types)));
    expect(comparable(rows), `${engine.id}\n${compiled.sql}`).toEqual(comparable(expected));
    if (rows.length > 0) withRows.add(each.number);
  }
});

test("most queries have rows", () => {
  expect(withRows.size).toBeGreaterThan(13);
});

test("all 22 queries are expressed or named as outside of metric queries", () => {
  const numbers = [...tpchQueries.map((each) => each.number), ...queriesOutside];
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
});
