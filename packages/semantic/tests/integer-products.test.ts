import { expect, test } from "vitest";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import type { MetricDialectId } from "../src/dialects/metric-dialect.ts";
import { semanticModelSchema } from "../src/models/model-schema.ts";
import { ModelSet } from "../src/models/model-set.ts";
import { startLocalEngines } from "./engines.ts";
import { columnFacts, type TestTable } from "./table-data.ts";

const table: TestTable = {
  name: "parcels",
  columns: { id: "integer", wide: "integer", high: "integer", deep: "integer" },
  key: ["id"],
  rows: [
    [1, "9007199254740993", "3", 1],
    [2, "4", null, "-9223372036854775807"],
    [3, "9007199254740993", "9007199254740993", "9223372036854775807"],
  ],
};
const model = {
  name: "parcels",
  table: "parcels",
  primary_key: ["id"],
  dimensions: [{ name: "id" }],
  measures: [
    { name: "area", agg: "sum", expr: "wide * high" },
    { name: "scaled", agg: "sum", expr: "wide * 2000" },
    { name: "around", agg: "sum", expr: "deep + wide" },
    { name: "between", agg: "sum", expr: "deep - wide" },
  ],
};
const models = new ModelSet([semanticModelSchema.parse(model)], { columns: { parcels: columnFacts(table) } });

function compiled(dialect: MetricDialectId, filter: string, measure = "area"): string {
  const query = compileMetricQuery(models, { measures: [`parcels.${measure}`], filters: [filter] }, dialect);
  if (query.kind === "refused") throw new Error(query.refusal.message);
  return query.sql;
}

test("products, sums and differences of integers are exact, and an error where they have too many digits", async () => {
  const engines = await startLocalEngines();
  try {
    for (const engine of engines) {
      await engine.load([table]);
      const [row] = await engine.run(compiled(engine.id, "parcels.id < 3"));
      expect(String(row?.[0]), engine.id).toBe("27021597764222979");
      for (const [measure, id] of [
        ["area", 3],
        ["scaled", 1],
        ["around", 3],
        ["between", 2],
      ] as const)
        await expect(engine.run(compiled(engine.id, `parcels.id = ${id}`, measure)), measure).rejects.toThrow(
          /more than 64 bits|Out of Range/i,
        );
      expect(await engine.run(compiled(engine.id, "parcels.id = 1", "around"))).toEqual([[9007199254740994n]]);
    }
  } finally {
    for (const engine of engines) await engine.close();
  }
});

test("ClickHouse multiplies and adds integers with digits enough", () => {
  expect(compiled("clickhouse", "parcels.id < 3")).toMatch(
    /sumOrNull\(toInt256\(.*toInt256\(`t1`.`wide`\) \* `t1`.`high`/s,
  );
});

test("SQLite ends with an error where a decimal has more digits than a double", async () => {
  const wide = { ...model, measures: [{ name: "area", agg: "sum", expr: "wide" }] };
  const metrics = [{ name: "scaled", type: "derived", expr: "area - 0.1" }];
  const set = new ModelSet([semanticModelSchema.parse({ ...wide, metrics })], {
    columns: { parcels: columnFacts(table) },
  });
  const sqlFor = (filter: string) => {
    const query = compileMetricQuery(set, { measures: ["parcels.scaled"], filters: [filter] }, "sqlite");
    return query.kind === "refused" ? query.refusal.message : query.sql;
  };
  const [sqlite, ...others] = await startLocalEngines();
  try {
    await sqlite?.load([table]);
    expect(await sqlite?.run(sqlFor("parcels.id = 2"))).toEqual([[3.9]]);
    await expect(sqlite?.run(sqlFor("parcels.id = 1"))).rejects.toThrow("a decimal has more digits");
  } finally {
    for (const engine of [sqlite, ...others]) await engine?.close();
  }
});

test("SQLite ends with an error where a dimension has more digits than a double", async () => {
  const dimensions = [{ name: "id" }, { name: "part", expr: "wide * 1.5" }];
  const set = new ModelSet([semanticModelSchema.parse({ ...model, dimensions })], {
    columns: { parcels: columnFacts(table) },
  });
  const sqlFor = (filter: string) => {
    const query = { measures: ["parcels.area"], dimensions: ["parcels.part"], filters: [filter] };
    const result = compileMetricQuery(set, query, "sqlite");
    return result.kind === "refused" ? result.refusal.message : result.sql;
  };
  const [sqlite, ...others] = await startLocalEngines();
  try {
    await sqlite?.load([table]);
    expect(await sqlite?.run(sqlFor("parcels.id = 2"))).toEqual([[6, null]]);
    await expect(sqlite?.run(sqlFor("parcels.id = 1"))).rejects.toThrow("a decimal has more digits");
  } finally {
    for (const engine of [sqlite, ...others]) await engine?.close();
  }
});
