import { expect, test } from "vitest";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import { readModelFiles } from "../src/files/read-model-files.ts";
import type { SemanticFacts } from "../src/models/model-facts.ts";
import type { MetricQuery } from "../src/query/query-schema.ts";

const columns: NonNullable<SemanticFacts["columns"]> = {
  visits: {
    id: { type: "integer" },
    customer: { type: "text" },
    month: { type: "date" },
    age: { type: "integer" },
    is_back: { type: "boolean" },
    amount: { type: "decimal", scale: 2 },
  },
};

/** Returns the assumptions about groups in a query of the metric `m` by month. */
function assumptionsOf(metrics: string, dimensions: MetricQuery["dimensions"] = ["visits.age"]): readonly string[] {
  const text = `name: visits
table: main.visits
primary_key: [id]
default_time: month
dimensions:
  - { name: month, type: date }
  - { name: age }
measures:
  - { name: customers, agg: count_distinct, expr: customer }
  - { name: returning, agg: count_distinct, expr: customer, filters: [is_back = true] }
  - { name: rows, agg: count }
  - { name: big, agg: count, filters: [amount > 5] }
  - { name: sales, agg: sum, expr: amount }
  - { name: average, agg: avg, expr: amount }
  - { name: direct, expr: count(DISTINCT CASE WHEN is_back THEN customer END) / count(DISTINCT customer) }
metrics:
${metrics}`;
  const { models, problems } = readModelFiles([{ file: "visits.yaml", text }], { columns });
  expect(problems).toEqual([]);
  if (models === undefined) throw new Error("The models have a problem.");
  const query = { measures: [metrics === "  []\n" ? "visits.direct" : "visits.m"], dimensions };
  const compiled = compileMetricQuery(models, query, "duckdb");
  if (compiled.kind !== "compiled") throw new Error(compiled.refusal.message);
  return compiled.assumptions.filter((sentence) => sentence.includes("of the same group"));
}

const derived = (expr: string) => `  - { name: m, type: derived, expr: '${expr}' }\n`;
const before =
  "  - { name: customers_before, type: offset, measure: customers, offset: { count: 1, grain: month } }\n" +
  "  - { name: sales_before, type: offset, measure: sales, offset: { count: 1, grain: month } }\n";

test.each<readonly [title: string, metrics: string, divides: string]>([
  ["a ratio", "  - { name: m, type: ratio, numerator: returning, denominator: customers }\n", "m divides by customers"],
  ["a formula", derived("returning / customers"), "m divides by customers"],
  ["a formula in percent", derived("100.0 * returning / customers"), "m divides by customers"],
  ["a rate that is lost", derived("1 - returning / customers"), "m divides by customers"],
  ["a difference that is divided", derived("(customers - returning) / customers"), "m divides by customers"],
  ["a denominator that is never 0", derived("returning / nullif(customers, 0)"), "m divides by customers"],
  ["a rounded formula", derived("round(returning / customers, 2)"), "m divides by customers"],
  ["a cast", derived("CAST(returning AS double) / customers"), "m divides by customers"],
  ["a condition", derived("CASE WHEN customers > 0 THEN returning / customers END"), "m divides by customers"],
  ["the inverse as a factor", derived("returning * (1.0 / customers)"), "m divides by customers"],
  ["a negative power", derived("returning * power(customers, -1)"), "m divides by customers"],
  [
    "aggregates in the formula",
    derived("count(DISTINCT CASE WHEN is_back THEN customer END) / count(DISTINCT customer)"),
    "m divides by count(distinct customer)",
  ],
  [
    "aggregates that name the model",
    derived("count(DISTINCT CASE WHEN is_back THEN visits.customer END) / customers"),
    "m divides by customers",
  ],
  ["ones that are added up", derived("sum(CASE WHEN is_back THEN 1 ELSE 0 END) / count(*)"), "m divides by count(*)"],
  ["counted keys", derived("count(CASE WHEN is_back THEN id END) / rows"), "m divides by rows"],
  ["counts of rows", derived("big / rows"), "m divides by rows"],
  ["sums of what a condition leaves", derived("sum(CASE WHEN is_back THEN amount END) / sales"), "m divides by sales"],
  ["a measure with an expression", "  []\n", "direct divides by count(distinct customer)"],
  [
    "a ratio within a formula",
    `  - { name: r, type: ratio, numerator: returning, denominator: customers }\n${derived("100 * r")}`,
    "r divides by customers",
  ],
  [
    "a ratio within a simple metric",
    "  - { name: r, type: ratio, numerator: returning, denominator: customers }\n  - { name: m, type: simple, measure: r }\n",
    "r divides by customers",
  ],
  [
    "names for both sides",
    "  - { name: whole, type: simple, measure: customers }\n" +
      "  - { name: part, type: simple, measure: customers, filters: [is_back = true] }\n" +
      derived("part / whole"),
    "m divides by whole",
  ],
  [
    "an inverse with a name",
    `  - { name: one, type: derived, expr: 1.0 / customers }\n${derived("returning * one")}`,
    "m divides by customers",
  ],
  [
    "a denominator of the month before",
    `${before}${derived("returning / customers_before")}`,
    "m divides by customers_before",
  ],
  [
    "a ratio of the month before",
    "  - { name: r, type: ratio, numerator: returning, denominator: customers }\n" +
      "  - { name: m, type: offset, measure: r, offset: { count: 1, grain: month } }\n",
    "r divides by customers",
  ],
])("%s states that a dimension groups its denominator", (title, metrics, divides) => {
  const month = title.includes("month before") ? [{ field: "visits.month", grain: "month" as const }] : undefined;
  expect(assumptionsOf(metrics, month)).toEqual([expect.stringContaining(`visits.${divides} of the same group`)]);
});

test.each<readonly [title: string, metrics: string]>([
  ["an average per customer", derived("sales / customers")],
  ["rows per customer", derived("rows / customers")],
  ["a formula without a division", derived("returning - customers")],
  ["sides that are added", derived("returning / rows + customers")],
  ["a quotient of averages", derived("average / average")],
  ["a product", derived("returning * customers")],
])("%s has no such assumption", (_, metrics) => {
  expect(assumptionsOf(metrics)).toEqual([]);
});

test.each<readonly [title: string, metrics: string]>([
  ["as a formula", `${before}${derived("customers / customers_before - 1")}`],
  ["as a ratio", `${before}  - { name: m, type: ratio, numerator: sales, denominator: sales_before }\n`],
  [
    "as a growth",
    "  - { name: m, type: offset, measure: customers, offset: { count: 1, grain: month }, result: growth }\n",
  ],
])("month over month %s compares periods, and has no such assumption", (_, metrics) => {
  expect(assumptionsOf(metrics, [{ field: "visits.month", grain: "month" }])).toEqual([]);
});

test("without a dimension, there is nothing to state", () => {
  expect(assumptionsOf(derived("returning / customers"), [])).toEqual([]);
});
