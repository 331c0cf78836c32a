import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileMetricQuery } from "../../src/compile/compile-metric-query.ts";
import { comparableRow, sortedRows } from "../comparable-rows.ts";
import { startEngines, type TestEngine } from "../engines.ts";
import type { TestTable } from "../table-data.ts";
import { tpchStatementQueries } from "./statement-models.ts";
import { tpchModels } from "./tpch-models.ts";
import { referenceFor, type TpchQuery, tpchQueries } from "./tpch-queries.ts";
import { tpchTables } from "./tpch-tables.ts";

const all = [...tpchQueries, ...tpchStatementQueries].toSorted((a, b) => a.number - b.number);
const made = tpchTables(0.003);
/** An SQLite file with tables from the TPC's own generator, which are not part of this repository. */
const official = process.env.TPCH_DATABASE;

test("all 22 queries are expressed, five of them over models with a statement", () => {
  expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
});

describe("on rows that are made here", () => {
  const withRows = compareAll(() => made);

  test("most queries have rows", () => {
    expect(withRows.size).toBeGreaterThan(16);
  });
});

describe.skipIf(official === undefined || !existsSync(official))(
  "on rows of the TPC's generator (needs TPCH_DATABASE)",
  () => {
    compareAll(() => readTables(official ?? ""));
  },
);

/** Compares all queries. Returns the numbers of the queries that had rows; the set is filled while the tests run. */
function compareAll(read: () => readonly TestTable[]): ReadonlySet<number> {
  const withRows = new Set<number>();
  const models = tpchModels(made);
  let engines: readonly TestEngine[] = [];
  beforeAll(async () => {
    engines = await startEngines();
    for (const engine of engines) await engine.load(read());
  });
  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  test.each(all)("query $number of TPC-H has the rows of the statement by hand", async (each) => {
    const expected = (await engines.find(({ id }) => id === "duckdb")?.run(referenceFor(each))) ?? [];
    for (const engine of engines) await compare(engine, each, expected);
    if (expected.length > 0) withRows.add(each.number);
  });

  async function compare(engine: TestEngine, { query }: TpchQuery, expected: Awaited<ReturnType<TestEngine["run"]>>) {
    const compiled = compileMetricQuery(models, query, engine.id);
    if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
    const types = compiled.columns.map(({ type }) => type);
    const comparable = (rows: typeof expected) => sortedRows(rows.map((row) => comparableRow(row, types)));
    const rows = await engine.run(compiled.sql);
    expect(comparable(rows), `${engine.id}\n${compiled.sql}`).toEqual(comparable(expected));
  }
  return withRows;
}

/** Reads the columns that the generated tables have. */
function readTables(file: string): readonly TestTable[] {
  using database = new DatabaseSync(file, { readOnly: true });
  return made.map((table) => {
    const statement = database.prepare(`SELECT ${Object.keys(table.columns).join(", ")} FROM ${table.name}`);
    statement.setReturnArrays(true);
    return { ...table, rows: statement.all() as unknown as TestTable["rows"] };
  });
}
