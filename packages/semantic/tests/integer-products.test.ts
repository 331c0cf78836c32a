import { expect, test } from "vitest";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import type { MetricDialectId } from "../src/dialects/metric-dialect.ts";
import { semanticModelSchema } from "../src/models/model-schema.ts";
import { ModelSet } from "../src/models/model-set.ts";
import { startLocalEngines } from "./engines.ts";
import { columnFacts, type TestTable } from "./table-data.ts";

const table: TestTable = {
  name: "parcels",
  columns: { id: "integer", wide: "integer", high: "integer" },
  key: ["id"],
  rows: [
    [1, "9007199254740993", "3"],
    [2, "4", null],
    [3, "9007199254740993", "9007199254740993"],
  ],
};
const model = {
  ...{ name: "parcels", table: "parcels", primary_key: ["id"], dimensions: [{ name: "id" }] },
  measures: [{ name: "area", agg: "sum", expr: "wide * high" }],
};
const models = new ModelSet([semanticModelSchema.parse(model)], { columns: { parcels: columnFacts(table) } });

function compiled(dialect: MetricDialectId, filter: string): string {
  const query = compileMetricQuery(models, { measures: ["parcels.area"], filters: [filter] }, dialect);
  if (query.kind === "refused") throw new Error(query.refusal.message);
  return query.sql;
}

test("a product of integers is exact, and an error where it has too many digits", async () => {
  const engines = await startLocalEngines();
  try {
    for (const engine of engines) {
      await engine.load([table]);
      const [row] = await engine.run(compiled(engine.id, "parcels.id < 3"));
      expect(String(row?.[0]), engine.id).toBe("27021597764222979");
      await expect(engine.run(compiled(engine.id, "parcels.id = 3")), engine.id).rejects.toThrow(
        /overflow|Out of Range/i,
      );
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
    await expect(sqlite?.run(sqlFor("parcels.id = 1"))).rejects.toThrow("integer overflow");
  } finally {
    for (const engine of [sqlite, ...others]) await engine?.close();
  }
});
