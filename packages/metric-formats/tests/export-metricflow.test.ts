import { type SemanticModel, semanticModelSchema } from "@bridle/semantic";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportMetricFlow } from "../src/metricflow/export-metricflow.ts";
import { importMetricFlow } from "../src/metricflow/import-metricflow.ts";
import { normalModels } from "./normal-models.ts";
import { SameNumbers } from "./same-numbers.ts";

const models = [
  {
    name: "orders",
    table: "main.orders",
    description: "One row for each order.",
    label: "Orders",
    primary_key: ["id"],
    default_time: "placed",
    joins: [
      { name: "buyer", to: "customers", on: [["customer_id", "id"]], relationship: "many_to_one" },
      { name: "payer", to: "customers", on: [["payer_id", "id"]], relationship: "many_to_one" },
    ],
    dimensions: [
      { name: "status", label: "State", description: "Of the order." },
      { name: "placed", expr: "placed_at", type: "timestamp" },
      { name: "due", type: "time", grain: "day" },
      { name: "is_big", expr: "amount > 100 or \"order\" = 'it''s'" },
    ],
    measures: [
      { name: "order_count", agg: "count", description: "All orders." },
      { name: "revenue", agg: "sum", expr: "amount", label: "Revenue" },
      { name: "mean", agg: "avg", expr: "amount" },
      { name: "buyers", agg: "count_distinct", expr: "customer_id" },
      {
        name: "last_total",
        agg: "sum",
        expr: "total",
        semi_additive: { time: "due", pick: "last", per: ["customer_id"] },
      },
    ],
    metrics: [
      {
        name: "open_revenue",
        type: "simple",
        measure: "revenue",
        filters: ["status = 'open'", "buyer.city in ('Bonn', 'Ulm')"],
      },
      { name: "revenue_each", type: "ratio", numerator: "revenue", denominator: "order_count", description: "Mean." },
      { name: "twice", type: "derived", expr: "2 * revenue - revenue_each" },
      { name: "running", type: "cumulative", measure: "revenue" },
      { name: "in_a_week", type: "cumulative", measure: "revenue", window: { count: 7, grain: "day" } },
      { name: "this_year", type: "cumulative", measure: "revenue", grain_to_date: "year" },
      { name: "orders_for_each", type: "ratio", numerator: "order_count", denominator: "customers.customer_count" },
    ],
  },
  {
    name: "customers",
    table: "main.customers",
    primary_key: ["id"],
    default_time: "joined",
    dimensions: [{ name: "city" }, { name: "joined", type: "time", grain: "day" }],
    measures: [{ name: "customer_count", agg: "count" }],
  },
].map((model) => semanticModelSchema.parse(model));

const back = (given: readonly SemanticModel[]) => {
  const { text, findings } = exportMetricFlow(given);
  return { text, findings, imported: importMetricFlow([{ file: "m.yml", text }], { schema: "main" }) };
};

/** Removes the dimensions of entities, and labels that repeat the name, which the findings list. */
function withoutEntities(all: readonly SemanticModel[], entities: readonly string[]): readonly SemanticModel[] {
  return normalModels(all).map((model) => ({
    ...model,
    ...(model.dimensions && { dimensions: model.dimensions.filter(({ name }) => !entities.includes(name)) }),
    ...(model.metrics && {
      metrics: model.metrics.map(({ label, ...metric }) =>
        label === metric.name || label === undefined ? metric : { ...metric, label },
      ),
    }),
  }));
}

test("models that MetricFlow can express are the same after an export and an import, but for what the findings name", () => {
  const { findings, imported } = back(models);
  expect(imported.findings).toEqual([]);
  expect(findings.map(({ kind, model, field = "", reason }) => `${kind} ${model} ${field}: ${reason}`)).toEqual([
    expect.stringMatching(/^changed orders : Its table main.orders is a ref there/),
    "changed orders entities: They are dimensions too after an import: orders, buyer, payer.",
    expect.stringMatching(/^changed customers : Its table main.customers is a ref there/),
    "changed customers entities: They are dimensions too after an import: customers, buyer, payer.",
    "changed orders metric in_a_week: By periods longer than a day, it shows the last day that has rows in the window.",
  ]);
  const entities = ["orders", "customers", "buyer", "payer"];
  const picks = models.map((model) => ({
    ...model,
    ...(model.metrics && {
      metrics: model.metrics.map((each) => (each.type === "cumulative" ? { ...each, pick: "last" as const } : each)),
    }),
  }));
  expect(withoutEntities(imported.models, entities)).toEqual(withoutEntities(picks, []));
});

const order = { name: "orders", table: "orders", primary_key: ["id"], default_time: "on_day" };
const day = { name: "on_day", type: "time", grain: "day" };
const sum = { name: "total", agg: "sum", expr: "amount" };
const lost: readonly (readonly [what: string, change: object, field: string | undefined, reason: RegExp])[] = [
  ["a name in upper case", { dimensions: [day, { name: "City" }] }, "dimension City", /not allowed/],
  ["a name with two underscores", { measures: [{ ...sum, name: "a__b" }] }, "measure a__b", /not allowed/],
  ["the name of a grain", { dimensions: [day, { name: "week" }] }, "dimension week", /another meaning/],
  ["a composite key", { primary_key: ["a", "b"] }, "primary_key", /several columns/],
  ["a connection", { connection: "shop" }, undefined, /connection/],
  [
    "a measure without a time",
    { default_time: undefined, dimensions: [], measures: [sum] },
    "measure total",
    /default time/,
  ],
  ["a filter of a measure", { measures: [{ ...sum, filters: ["a = 1"] }] }, "measure total", /within its expression/],
  ["a format", { measures: [{ ...sum, format: "0" }] }, "measure total", /format/],
  ["synonyms", { synonyms: ["purchases"] }, undefined, /synonyms/],
  ["a type", { dimensions: [day, { name: "big", type: "boolean" }] }, "dimension big", /type boolean/],
  [
    "a dimension behind a join",
    { dimensions: [day, { name: "city", expr: "customers.city" }] },
    "dimension city",
    /behind a join/,
  ],
  ["a segment", { segments: [{ name: "paid", filter: "a = 1" }] }, "segment paid", /segments/],
  [
    "a join over two columns",
    {
      joins: [
        {
          name: "other",
          to: "orders",
          on: [
            ["a", "b"],
            ["c", "d"],
          ],
          relationship: "many_to_one",
        },
      ],
    },
    "join other",
    /one column/,
  ],
  [
    "a join over an expression",
    { joins: [{ name: "other", to: "orders", on: "{from}.a = {to}.b", relationship: "many_to_one" }] },
    "join other",
    /one column/,
  ],
  [
    "a join to itself",
    { joins: [{ name: "other", to: "orders", on: [["a", "b"]], relationship: "many_to_one" }] },
    "join other",
    /itself/,
  ],
  [
    "a semi-additive measure by a column",
    { measures: [{ ...sum, semi_additive: { time: "on_day", pick: "last", per: ["x"] } }] },
    "measure total",
    /not an entity/,
  ],
  [
    "a share",
    { measures: [sum], metrics: [{ name: "part", type: "share", measure: "total" }] },
    "metric part",
    /share/,
  ],
  [
    "an offset",
    {
      measures: [sum],
      metrics: [{ name: "before", type: "offset", measure: "total", offset: { count: 1, grain: "month" } }],
    },
    "metric before",
    /derived/,
  ],
  [
    "an aggregation in a metric",
    { metrics: [{ name: "each", type: "derived", expr: "sum(amount) / 2" }] },
    "metric each",
    /Make it a measure/,
  ],
  [
    "a metric of what is lost",
    { metrics: [{ name: "each", type: "simple", measure: "total" }] },
    "metric each",
    /total, which is not/,
  ],
  ["a metric by itself", { metrics: [{ name: "each", type: "derived", expr: "each + 1" }] }, "metric each", /itself/],
  [
    "a filter over a time",
    {
      measures: [sum],
      metrics: [{ name: "new", type: "simple", measure: "total", filters: ["on_day > '2024-01-01'"] }],
    },
    "metric new",
    /the time on_day/,
  ],
  [
    "a filter over a column",
    { measures: [sum], metrics: [{ name: "new", type: "simple", measure: "total", filters: ["x > 1"] }] },
    "metric new",
    /not a dimension/,
  ],
];
test.each(lost)("%s is in the findings of an export to MetricFlow", (_what, change, field, reason) => {
  const given = Object.entries({ ...order, dimensions: [day], ...change }).filter(([, value]) => value !== undefined);
  const { findings } = exportMetricFlow([semanticModelSchema.parse(Object.fromEntries(given))]);
  expect(findings).toContainEqual(
    expect.objectContaining({ model: "orders", ...(field && { field }), reason: expect.stringMatching(reason) }),
  );
});

test.each([
  ["a description", { description: "{{ env_var('SECRET') }}" }, undefined],
  ["a measure's expression", { measures: [{ ...sum, expr: "case when a = '{% x %}' then 1 end" }] }, "measure total"],
  [
    "a measure's filter",
    { measures: [{ ...sum, filters: [{ field: "a", op: "=", value: "{{ x }}" }] }] },
    "measure total",
  ],
  [
    "a metric's filter",
    {
      measures: [sum],
      dimensions: [day, { name: "a1" }],
      metrics: [{ name: "new", type: "simple", measure: "total", filters: ["a1 = '{{ x }}'"] }],
    },
    "metric new",
  ],
  ["a table", { table: "a') }} {{ x" }, "model"],
  ["a table with a quote", { table: "a'b" }, "model"],
])("a template in %s reaches no file of dbt", (_what, change, field) => {
  const model = semanticModelSchema.parse({ ...order, dimensions: [day], ...change });
  const { text, findings } = exportMetricFlow([model]);
  expect(text).not.toMatch(/env_var|\{%|\{\{ x|a'/);
  expect(findings).toContainEqual(expect.objectContaining({ model: "orders", ...(field && { field }) }));
});

test("measures that several models have begin with the model in MetricFlow", () => {
  const two = ["one", "two"].map((name) =>
    semanticModelSchema.parse({
      ...order,
      name,
      table: name,
      dimensions: [day],
      measures: [{ name: "total", agg: "count" }],
    }),
  );
  const { text, findings } = exportMetricFlow(two);
  expect(text).toContain("name: one_total\n");
  expect(findings).toContainEqual(expect.objectContaining({ model: "two", field: "measure total", kind: "changed" }));
});

const numbers = new SameNumbers();
beforeAll(() => numbers.start());
afterAll(() => numbers.close());

test("every metric of the shop that MetricFlow can express has the same number after an export and an import", async () => {
  const { findings, imported } = back(numbers.models);
  expect(imported.findings.filter(({ kind }) => kind === "refused")).toEqual([]);
  expect(await numbers.compare(findings, imported.models)).toBeGreaterThan(20);
});
