/** Compares the TPC-H queries as metric queries with handwritten statements: milliseconds of the engine, without compiling. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DuckDBInstance } from "@duckdb/node-api";
import { type CompiledQuery, compileMetricQuery, type MetricDialectId } from "../../packages/semantic/src/index.ts";
import { comparableRow, sortedRows } from "../../packages/semantic/tests/comparable-rows.ts";
import { startPostgresEngine } from "../../packages/semantic/tests/engines.ts";
import { createTable, type TestTable } from "../../packages/semantic/tests/table-data.ts";
import { tpchModels } from "../../packages/semantic/tests/tpch/tpch-models.ts";
import { referenceFor, type TpchQuery, tpchQueries } from "../../packages/semantic/tests/tpch/tpch-queries.ts";
import { tpchTables } from "../../packages/semantic/tests/tpch/tpch-tables.ts";

interface BenchEngine {
  readonly id: MetricDialectId & ("duckdb" | "postgres");
  run(sql: string): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

export async function benchTpch(scale: number, rounds: number): Promise<void> {
  const tables = tpchTables(scale);
  const models = tpchModels(tables);
  const engines = [await startDuckDb(tables), ...(await startPostgres(tables))];
  const written = (id: MetricDialectId, query: TpchQuery) => {
    const compiled = compileMetricQuery(models, query.query, id);
    if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
    return compiled;
  };
  console.log(`\nTPC-H at ${scale}, ${rounds} rounds, median ms\nengine    query   compiled    by hand   ratio`);
  for (const engine of engines) {
    const ratios: number[] = [];
    for (const query of tpchQueries) {
      const compiled = written(engine.id, query);
      await requireSameRows(engine, compiled, query);
      const [own, other] = await race(engine, compiled.sql, referenceFor(query), rounds);
      ratios.push(own / other);
      const cells = [own.toFixed(2).padStart(10), other.toFixed(2).padStart(10), (own / other).toFixed(2).padStart(7)];
      console.log(`${engine.id.padEnd(9)} ${String(query.number).padStart(5)} ${cells.join(" ")}`);
    }
    console.log(`${engine.id.padEnd(9)} median ratio ${median(ratios).toFixed(2)}`);
    await engine.close();
  }
}

/** Throws if the rows differ, because a fast statement with wrong rows is useless. */
async function requireSameRows(engine: BenchEngine, compiled: CompiledQuery, query: TpchQuery): Promise<void> {
  const types = compiled.columns.map(({ type }) => type);
  const [own, other] = [await engine.run(compiled.sql), await engine.run(referenceFor(query))].map((rows) =>
    sortedRows(rows.map((row) => comparableRow(row, types))).join("\n"),
  );
  if (own !== other)
    throw new Error(`Query ${query.number} has other rows on ${engine.id} than the statement by hand.`);
}

/** Measures both statements in alternation, after one run of each. */
async function race(engine: BenchEngine, own: string, other: string, rounds: number) {
  const times: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, sql] of [own, other].entries()) {
      const start = performance.now();
      await engine.run(sql);
      if (round >= 0) times[index]?.push(performance.now() - start);
    }
  }
  return [median(times[0]), median(times[1])] as const;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function startDuckDb(tables: readonly TestTable[]): Promise<BenchEngine> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await withFiles(tables, async (table, file) => {
    for (const sql of createTable("duckdb", { ...table, rows: [] })) await connection.run(sql);
    await connection.run(`COPY ${table.name} FROM '${file}' (HEADER false)`);
  });
  return {
    id: "duckdb",
    run: async (sql) => (await connection.runAndReadAll(sql)).getRows(),
    close: async () => connection.closeSync(),
  };
}

async function startPostgres(tables: readonly TestTable[]): Promise<readonly BenchEngine[]> {
  const engine = await startPostgresEngine();
  if (!engine) return [];
  for (const table of tables) {
    await engine.load([{ ...table, rows: [] }]);
    for (let at = 0; at < table.rows.length; at += 2000) {
      const [, insert = ""] = createTable("postgres", { ...table, rows: table.rows.slice(at, at + 2000) });
      await engine.run(insert);
    }
  }
  await engine.run("ANALYZE");
  return [{ id: "postgres", run: (sql) => engine.run(sql), close: () => engine.close() }];
}

async function withFiles(tables: readonly TestTable[], load: (table: TestTable, file: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "bridle-tpch-"));
  try {
    for (const table of tables) {
      const file = join(folder, `${table.name}.csv`);
      writeFileSync(file, table.rows.map((row) => row.join(",")).join("\n"));
      await load(table, file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
