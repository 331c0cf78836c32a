import { expect, test } from "vitest";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import { readModelFiles } from "../src/files/read-model-files.ts";
import type { SemanticFacts } from "../src/models/model-facts.ts";

const columns: NonNullable<SemanticFacts["columns"]> = {
  orders: {
    id: { type: "integer" },
    customer: { type: "text" },
    ordered_at: { type: "timestamp" },
    active: { type: "boolean" },
    amount: { type: "decimal", scale: 2 },
  },
};

function modelsWith(metrics: string) {
  const text = `name: orders
table: main.orders
primary_key: [id]
default_time: at
dimensions:
  - { name: at, type: time, expr: ordered_at }
measures:
  - { name: sales, agg: sum, expr: amount }
  - { name: customers, agg: count_distinct, expr: customer }
  - { name: returning, agg: count_distinct, expr: customer, filters: [active = true] }
metrics:
${metrics}`;
  return readModelFiles([{ file: "orders.yaml", text }], { columns });
}

const previous = (count: number, grain: string) =>
  `  - { name: prev, type: offset, measure: sales, offset: { count: ${count}, grain: ${grain} } }\n`;

test.each([
  ["month over month", "month", "  - { name: m, type: derived, expr: sales / prev - 1 }\n"],
  ["week over week", "week", "  - { name: m, type: derived, expr: sales / prev - 1 }\n"],
  ["day over day", "day", "  - { name: m, type: derived, expr: sales - prev }\n"],
  ["quarter over quarter", "quarter", "  - { name: m, type: ratio, numerator: sales, denominator: prev }\n"],
  [
    "a ratio of a ratio",
    "month",
    "  - { name: r, type: ratio, numerator: sales, denominator: prev }\n  - { name: m, type: derived, expr: 100 * r }\n",
  ],
  ["year over year", "year", "  - { name: m, type: derived, expr: sales / prev - 1 }\n"],
])("%s is a valid model and can be queried by its period", (_, grain, metric) => {
  const { models, problems } = modelsWith(previous(1, grain) + metric);
  expect(problems).toEqual([]);
  if (models === undefined) throw new Error("The models have no problem, and are missing.");
  const dimensions = [{ field: "orders.at", grain: grain as "month" }];
  expect(compileMetricQuery(models, { measures: ["orders.m"], dimensions }, "duckdb").kind).toBe("compiled");
});

test("offsets by weeks and by months of one metric are checked by day", () => {
  const { problems } = modelsWith(
    `${previous(1, "week")}  - { name: before, type: offset, measure: sales, offset: { count: 1, grain: month } }\n  - { name: m, type: derived, expr: prev / before }\n`,
  );
  expect(problems).toEqual([]);
});

test("a ratio whose denominator counts the same values states that a dimension groups both", () => {
  const { models } = modelsWith("  - { name: retention, type: ratio, numerator: returning, denominator: customers }\n");
  if (models === undefined) throw new Error("The models have a problem.");
  const measures = ["orders.retention"];
  const by = compileMetricQuery(models, { measures, dimensions: [{ field: "orders.at", grain: "month" }] }, "duckdb");
  expect(by).toMatchObject({
    assumptions: [expect.stringContaining("orders.retention divides by customers of the same group")],
  });
  expect(compileMetricQuery(models, { measures }, "duckdb")).toMatchObject({ assumptions: [] });
});
