import { type SemanticModel, semanticModelSchema } from "@bridle/semantic";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { exportOsi } from "../src/osi/export-osi.ts";
import { importOsi } from "../src/osi/import-osi.ts";
import { normalModels } from "./normal-models.ts";
import { SameNumbers } from "./same-numbers.ts";

const models = [
  {
    name: "orders",
    table: "main.orders",
    description: "One row for each order.",
    primary_key: ["id"],
    joins: [
      { to: "customers", on: [["customer_id", "id"]], relationship: "many_to_one", synonyms: ["buyer"] },
      { name: "invoice", to: "invoices", on: [["id", "order_id"]], relationship: "one_to_one" },
    ],
    dimensions: [
      { name: "id" },
      { name: "status", type: "string", label: "State", description: "Of the order.", synonyms: ["state"] },
      { name: "placed", expr: "placed_at", type: "timestamp" },
      { name: "day", type: "date" },
      { name: "is_big", expr: "amount > 100 or \"order\" = 'it''s big'", type: "boolean" },
    ],
    measures: [
      { name: "count", agg: "count", description: "All orders." },
      { name: "revenue", agg: "sum", expr: "amount" },
      { name: "mean", agg: "avg", expr: "amount / rate" },
      { name: "paid", agg: "sum", expr: "amount", filters: ["status = 'paid'"] },
      { name: "test_orders", agg: "count", filters: [{ field: "status", op: "in", value: ["test", "x"] }] },
      { name: "buyers", agg: "count_distinct", expr: "customer_id" },
    ],
    metrics: [
      { name: "each", type: "ratio", numerator: "revenue", denominator: "count" },
      { name: "paid_percent", type: "derived", expr: "100 * paid / revenue" },
      { name: "per_customer", type: "ratio", numerator: "count", denominator: "customers.named" },
    ],
  },
  {
    name: "customers",
    table: "main.customers",
    primary_key: ["id"],
    dimensions: [{ name: "id" }, { name: "name" }],
    measures: [{ name: "named", agg: "count_distinct", expr: "name" }],
  },
  { name: "invoices", table: "main.invoices", primary_key: ["order_id"] },
].map((model) => semanticModelSchema.parse(model));

const back = (given: readonly SemanticModel[]) => {
  const { text, findings } = exportOsi(given);
  return { text, findings, imported: importOsi([{ file: "m.yaml", text }]) };
};

test("models that OSI can express are the same after an export and an import", () => {
  const { findings, imported } = back(models);
  expect(imported.findings).toEqual([]);
  const normal = normalModels(models);
  // In a metric over several datasets, the count is written as a count of the key, which is another measure.
  const [orders, ...others] = normalModels(imported.models);
  expect(others).toEqual(normal.slice(1));
  const counted = { name: "per_customer__1", agg: "count", expr: '"id"' };
  const metrics = normal[0]?.metrics?.map((metric) =>
    metric.name === "per_customer" ? { ...metric, numerator: "orders.per_customer__1" } : metric,
  );
  expect(orders).toEqual({ ...normal[0], measures: [...(normal[0]?.measures ?? []), counted], metrics });
  expect(findings).toEqual([
    { kind: "changed", model: "orders", field: "metric per_customer", reason: expect.stringContaining("whole") },
  ]);
});

test("an exported quotient is no quotient of integers, and names are quoted only if they have to be", () => {
  const { text } = back(models);
  const [{ datasets = [] } = {}] = parse(text).semantic_model;
  const expressions = Object.fromEntries(
    datasets[0].metrics.map((each: { name: string; expression: { dialects: { expression: string }[] } }) => [
      each.name,
      each.expression.dialects[0]?.expression,
    ]),
  );
  expect(expressions).toMatchObject({
    count: "count(*)",
    paid: "sum(case when (status = 'paid') then amount end)",
    each: "cast(sum(amount) as double) / nullif(count(*), 0)",
  });
  expect(text).toContain(`(amount > 100) or ("order" = 'it''s big')`);
});

const lost: readonly (readonly [what: string, change: object, field: string | undefined, reason: RegExp])[] = [
  ["a connection", { connection: "shop" }, undefined, /connection/],
  ["a label of a model", { label: "Orders" }, undefined, /label/],
  ["a default time", { default_time: "t", dimensions: [{ name: "t", type: "date" }] }, "default_time", /default time/],
  ["a segment", { segments: [{ name: "s", filter: "a = 1" }] }, "segment s", /segments/],
  [
    "a dimension behind a join",
    { dimensions: [{ name: "c", expr: "customers.city" }] },
    "dimension c",
    /behind a join/,
  ],
  ["a number", { dimensions: [{ name: "n", type: "number" }] }, "dimension n", /type number/],
  ["a grain", { dimensions: [{ name: "n", type: "date", grain: "week" }] }, "dimension n", /grain week/],
  [
    "a join over an expression",
    { joins: [{ name: "j", to: "m", on: "{from}.a = {to}.b", relationship: "many_to_one" }] },
    "join j",
    /expression/,
  ],
  [
    "a join to many",
    { joins: [{ name: "j", to: "m", on: [["a", "b"]], relationship: "one_to_many" }] },
    "join j",
    /many side/,
  ],
  [
    "a semi-additive measure",
    { measures: [{ name: "b", agg: "sum", semi_additive: { time: "t", pick: "last" } }] },
    "measure b",
    /semi-additive/,
  ],
  [
    "a filter behind a join",
    { measures: [{ name: "b", agg: "sum", filters: ["customers.vip"] }] },
    "measure b",
    /behind a join/,
  ],
  [
    "a backslash in a filter",
    { measures: [{ name: "b", agg: "sum", filters: [{ field: "a", op: "=", value: "\\' or 1=1" }] }] },
    "measure b",
    /backslash/,
  ],
  [
    "a date as a bound of a time",
    { measures: [{ name: "b", agg: "sum", filters: ["at <= '2024-01-31'"] }] },
    "measure b",
    /whole day/,
  ],
  [
    "a measure with the name of a dimension",
    { dimensions: [{ name: "b" }], measures: [{ name: "b", agg: "sum" }] },
    "measure b",
    /same name/,
  ],
  ["a format", { measures: [{ name: "b", agg: "sum", format: "0.0" }] }, "measure b", /format/],
  [
    "a cumulative metric",
    { measures: [{ name: "b", agg: "sum" }], metrics: [{ name: "c", type: "cumulative", measure: "b" }] },
    "metric c",
    /cumulative/,
  ],
  ["a metric of what is lost", { metrics: [{ name: "c", type: "simple", measure: "b" }] }, "metric c", /needs b/],
];
test.each(lost)("%s is in the findings of an export to OSI", (_what, change, field, reason) => {
  const model = semanticModelSchema.parse({ name: "m", table: "m", primary_key: ["id"], ...change });
  expect(exportOsi([model]).findings).toMatchObject([
    { model: "m", ...(field && { field }), reason: expect.stringMatching(reason) },
  ]);
});

const numbers = new SameNumbers();
beforeAll(() => numbers.start());
afterAll(() => numbers.close());

test("every metric of the shop that OSI can express has the same number after an export and an import", async () => {
  const { findings, imported } = back(numbers.models);
  expect(imported.findings.filter(({ kind }) => kind === "refused")).toEqual([]);
  expect(await numbers.compare(findings, imported.models)).toBeGreaterThan(40);
});
