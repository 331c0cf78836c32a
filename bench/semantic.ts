/**
 * Prints how long metric queries take to compile, from the parsed query to SQL. `npm run bench -- semantic`, or `node
 * --conditions=@bridle/source bench/semantic.ts [MODELS or SCALE, such as 0.1]`. The models are generated and always the same: facts with
 * shared dimensions, which join further dimensions. Each query is compiled for the first time with its set of models. Then runs the TPC-H
 * queries at a hundredth of the standard size, or at SCALE, and compares their rows with the rows of hand-written statements.
 */
import { performance } from "node:perf_hooks";
import { compileMetricQuery, type MetricQuery, metricDialectIds } from "../packages/semantic/src/index.ts";
import { generateModels, generateQueries, generateRefusedQueries } from "./semantic/generated-models.ts";
import { benchTpch } from "./semantic/tpch.ts";

const given = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
const repetitions = 15;
console.log("models  queries   number    set ms  median ms   95 % ms  longest ms");
for (const count of given.length > 0 ? given : [90, 1000]) {
  measure(count, "compiled", generateQueries(count));
  measure(count, "refused", generateRefusedQueries());
}
if (given.length === 0) await benchTpch(Number(process.argv.find((word) => /^0?\.\d+$/.test(word)) ?? 0.01), 9);

/** Throws if a query is refused or answered unexpectedly, because the times of refusals and plans differ. */
function measure(count: number, expected: "compiled" | "refused", queries: readonly MetricQuery[]): void {
  const times: number[] = [];
  const setTimes: number[] = [];
  for (let round = 0; round < repetitions; round += 1) {
    const start = performance.now();
    const models = generateModels(count);
    setTimes.push(performance.now() - start);
    for (const query of queries) {
      const dialect = metricDialectIds[round % metricDialectIds.length] ?? "duckdb";
      const from = performance.now();
      const compiled = compileMetricQuery(models, query, dialect);
      times.push(performance.now() - from);
      const why = compiled.kind === "refused" ? compiled.refusal.message : "It was compiled.";
      if (compiled.kind !== expected) throw new Error(`${JSON.stringify(query)} was not ${expected}: ${why}`);
    }
  }
  const shown = [at(setTimes, 0.5), at(times, 0.5), at(times, 0.95), at(times, 1)].map((time) =>
    time.toFixed(2).padStart(9),
  );
  console.log(
    `${String(count).padEnd(7)} ${expected.padEnd(8)} ${String(times.length).padStart(7)} ${shown.join("  ")}`,
  );
}

function at(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? 0;
}
