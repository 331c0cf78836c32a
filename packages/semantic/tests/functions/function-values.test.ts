import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileMetricQuery } from "../../src/compile/compile-metric-query.ts";
import { semanticModelSchema } from "../../src/models/model-schema.ts";
import { ModelSet } from "../../src/models/model-set.ts";
import { comparableRow } from "../comparable-rows.ts";
import { startEngines, type TestEngine } from "../engines.ts";
import { columnFacts } from "../table-data.ts";
import { edgeTable } from "./edge-table.ts";
import { type FunctionValues, functionValues } from "./function-values.ts";

const all = Object.values(functionValues).flat();
const model = semanticModelSchema.parse({
  name: "edges",
  table: "edges",
  primary_key: ["id"],
  dimensions: [{ name: "id" }, ...all.map(([expr], index) => ({ name: `x${index}`, expr }))],
  measures: [{ name: "count", agg: "count" }],
});
const models = new ModelSet([model], { columns: { edges: columnFacts(edgeTable) } });
let engines: readonly TestEngine[] = [];

beforeAll(async () => {
  engines = await startEngines();
  for (const engine of engines) await engine.load([edgeTable]);
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

describe.each(Object.entries(functionValues))("%s", (_, values) => {
  test.each(values.map((each) => [each[0], each] as const))("%s has one value on every engine", (_, each) =>
    check(each),
  );
});

async function check([expr, expected, refusing = []]: FunctionValues): Promise<void> {
  const dimension = `edges.x${all.findIndex(([each]) => each === expr)}`;
  const query = { measures: ["edges.count"], dimensions: ["edges.id", dimension], orderBy: ["edges.id"] };
  for (const engine of engines) {
    const compiled = compileMetricQuery(models, query, engine.id);
    if (refusing.includes(engine.id)) {
      expect(compiled, engine.id).toMatchObject({ kind: "refused", refusal: { reason: "unsupported" } });
      continue;
    }
    if (compiled.kind === "refused") throw new Error(`${engine.id}: ${compiled.refusal.message}`);
    const types = compiled.columns.map(({ type }) => type);
    const rows = await engine.run(compiled.sql);
    const found = rows.map((row) => comparableRow(row, types)[1] ?? null);
    expect(found, `${engine.id}\n${compiled.sql}`).toEqual(expected);
  }
}

const refused = [
  ["substr(t, 0, 2)", "invalid_expression"],
  ["substr(t, i)", "invalid_expression"],
  ["left(t, -1)", "invalid_expression"],
  ["starts_with(t, t)", "invalid_expression"],
  ["round(f, 16)", "invalid_expression"],
  ["round(d, i)", "invalid_expression"],
  ["round(t)", "invalid_expression"],
  ["greatest(t, 'a')", "invalid_expression"],
  ["greatest(d, day)", "invalid_expression"],
  ["date_diff('month', t, day)", "invalid_expression"],
  ["date_diff('fortnight', day, other)", "invalid_expression"],
  ["date_diff(day, month)", "invalid_expression"],
  ["EXTRACT(week FROM day)", "unsupported"],
  ["EXTRACT(dayofweek FROM day)", "unsupported"],
  ["EXTRACT(century FROM day)", "invalid_expression"],
  ["CAST(d AS integer)", "unsupported"],
  ["CAST(t AS decimal(5, 2))", "unsupported"],
  ["CAST(d AS decimal)", "invalid_expression"],
  ["CAST(d AS decimal(5, 6))", "invalid_expression"],
  ["date_trunc(day, month)", "invalid_expression"],
  ["mod(d, 2)", "invalid_expression"],
  ["t ILIKE u", "invalid_expression"],
] as const;

test.each(refused)("%s is refused with the reason %s", (expr, reason) => {
  const dimensions = [{ name: "x", expr }];
  const set = new ModelSet([semanticModelSchema.parse({ ...model, dimensions })], {
    columns: { edges: columnFacts(edgeTable) },
  });
  const compiled = compileMetricQuery(set, { measures: ["edges.count"], dimensions: ["edges.x"] }, "duckdb");
  expect(compiled).toMatchObject({ kind: "refused", refusal: { reason } });
});
