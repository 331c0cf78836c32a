/**
 * Prints how long metric queries take to compile, from the parsed query to SQL. `npm run bench -- semantic`, or
 * `node --conditions=@bridle/source bench/semantic.ts [MODELS]`. The models are generated, the same each time: facts with shared
 * dimensions, which join further ones. Each query is compiled for the first time with its set of models. Then it runs the queries of
 * TPC-H at a hundredth of its size.
 */
import { performance } from "node:perf_hooks";
import { compileMetricQuery, metricDialectIds } from "../packages/semantic/src/index.ts";
import { generateModels, generateQueries } from "./semantic/generated-models.ts";
import { benchTpch } from "./semantic/tpch.ts";

const given = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
const repetitions = 15;
console.log("models  compiled  refused   set ms  median ms   95 % ms  longest ms");
for (const count of given.length > 0 ? given : [90, 1000]) measure(count);
if (given.length === 0) await benchTpch(0.01, 9);

function measure(count: number): void {
  const times: number[] = [];
  const setTimes: number[] = [];
  const kinds = { compiled: 0, refused: 0 };
  for (let round = 0; round < repetitions; round += 1) {
    const start = performance.now();
    const models = generateModels(count);
    setTimes.push(performance.now() - start);
    for (const query of generateQueries(count)) {
      const dialect = metricDialectIds[round % metricDialectIds.length] ?? "duckdb";
      const from = performance.now();
      const { kind } = compileMetricQuery(models, query, dialect);
      times.push(performance.now() - from);
      kinds[kind] += 1;
    }
  }
  const shown = [at(setTimes, 0.5), at(times, 0.5), at(times, 0.95), at(times, 1)].map((time) =>
    time.toFixed(2).padStart(9),
  );
  console.log(
    `${String(count).padEnd(7)} ${String(kinds.compiled).padStart(8)} ${String(kinds.refused).padStart(8)} ${shown.join("  ")}`,
  );
}

function at(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? 0;
}
