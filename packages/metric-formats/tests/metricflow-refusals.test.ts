import { expect, test } from "vitest";
import { importMetricFlow } from "../src/metricflow/import-metricflow.ts";

const start = `semantic_models:
  - name: orders
    model: ref('orders')
    defaults: { agg_time_dimension: placed }
    entities:
      - { name: order, type: primary, expr: id }
    dimensions:
      - { name: placed, type: time, type_params: { time_granularity: day } }
    measures:
      - { name: total, agg: sum, expr: amount }
metrics:
  - { name: total, type: simple, type_params: { measure: total } }
`;

function findingsOf(text: string): readonly string[] {
  const { findings } = importMetricFlow([{ file: "m.yml", text }]);
  return findings.map(({ kind, subject, reason, position }) => `${position.line} ${kind} ${subject}: ${reason}`);
}

/** Returns the findings about one additional measure, which is in line 11. */
const withMeasure = (measure: string) => findingsOf(start.replace("metrics:", `      - ${measure}\nmetrics:`));
/** Returns the findings about one additional metric, which is in line 13. */
const withMetric = (metric: string) => findingsOf(`${start}  - ${metric}\n`);

test("a project without faults has no findings", () => {
  expect(findingsOf(start)).toEqual([]);
});

test("a dimension with the name of a grain is refused, as MetricFlow reads the name as the grain", () => {
  const text = start.replaceAll("name: placed,", "name: month,");
  expect(findingsOf(text)).toEqual([expect.stringMatching(/^8 refused dimension month: .*name of a grain/)]);
});

const measures: readonly (readonly [what: string, yaml: string, reason: RegExp])[] = [
  [
    "a percentile other than the median",
    "{ name: p, agg: percentile, expr: amount, agg_params: { percentile: 0.9 } }",
    /0\.5/,
  ],
  [
    "a discrete percentile",
    "{ name: p, agg: percentile, expr: amount, agg_params: { percentile: 0.5, use_discrete_percentile: true } }",
    /0\.5/,
  ],
  [
    "an approximate percentile",
    "{ name: p, agg: percentile, expr: amount, agg_params: { percentile: 0.5, use_approximate_percentile: true } }",
    /0\.5/,
  ],
  ["an unknown aggregation", "{ name: p, agg: mode, expr: amount }", /agg: /],
  ["an unknown key", "{ name: p, agg: sum, expr: amount, distinct: true }", /"distinct" is unknown/],
  ["a subquery", "{ name: p, agg: sum, expr: (select 1) }", /select/i],
  ["a function that one engine has", "{ name: p, agg: sum, expr: regexp_count(x) }", /regexp_count/],
  [
    "a window grouping that is no entity",
    "{ name: p, agg: sum, expr: x, non_additive_dimension: { name: day, window_choice: max, window_groupings: [rider] } }",
    /rider/,
  ],
];
for (const [what, yaml, reason] of measures) {
  test(`${what} in a MetricFlow measure is refused with its line`, () => {
    const findings = withMeasure(yaml);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^11 refused measure p: /);
    expect(findings[0]).toMatch(reason);
  });
}

test("a second entity or dimension of one name is refused, and the first stays", () => {
  const entity = start.replace(
    "    dimensions:",
    "      - { name: order, type: foreign, expr: other }\n    dimensions:",
  );
  expect(findingsOf(entity)).toEqual([expect.stringMatching(/^7 refused entity order/)]);
  const dimension = start.replace("    measures:", "      - { name: placed, type: categorical }\n    measures:");
  expect(findingsOf(dimension)).toEqual([expect.stringMatching(/^9 refused dimension placed/)]);
});

test("a measure with the name of another model's is refused, as MetricFlow's measures have one name", () => {
  const other = `  - name: refunds
    model: ref('refunds')
    measures:
      - { name: total, agg: sum, expr: amount }
metrics:`;
  expect(findingsOf(start.replace("metrics:", other))).toEqual([expect.stringMatching(/^14 refused measure total/)]);
});

const metrics: readonly (readonly [what: string, yaml: string, reason: RegExp])[] = [
  [
    "an unknown measure",
    "{ name: m, type: simple, type_params: { measure: nothing } }",
    /no imported measure "nothing"/,
  ],
  ["an unknown type", "{ name: m, type: magic, type_params: { measure: total } }", /type: /],
  [
    "a ratio without a denominator",
    "{ name: m, type: ratio, type_params: { numerator: total } }",
    /needs a numerator and a denominator/,
  ],
  [
    "two kinds of offsets",
    "{ name: m, type: derived, type_params: { expr: total, metrics: [{ name: total, offset_window: 1 day, offset_to_grain: month }] } }",
    /both offset_window and offset_to_grain/,
  ],
  [
    "an offset in minutes",
    "{ name: m, type: derived, type_params: { expr: total, metrics: [{ name: total, offset_window: 5 minutes }] } }",
    /5 minutes/,
  ],
  [
    "a metric defined by itself",
    "{ name: m, type: derived, type_params: { expr: m, metrics: [m] } }",
    /refers to itself/,
  ],
  [
    "a filter by a metric",
    `{ name: m, type: simple, type_params: { measure: total }, filter: "{{ Metric('total', ['order', 'day']) }} > 1" }`,
    /one entity/,
  ],
  [
    "a filter with a statement of Jinja",
    `{ name: m, type: simple, type_params: { measure: total }, filter: "{% if x %}1{% endif %}" }`,
    /statements of a template/,
  ],
  [
    "a filter on what cannot be reached",
    `{ name: m, type: simple, type_params: { measure: total }, filter: "{{ Dimension('rider__city') }} = 'x'" }`,
    /rider__city/,
  ],
  [
    "a filter with another template",
    `{ name: m, type: simple, type_params: { measure: total }, filter: "{{ var('x') }} = 1" }`,
    /is not a Dimension/,
  ],
  [
    "a filter by the minute",
    `{ name: m, type: simple, type_params: { measure: total }, filter: "{{ TimeDimension('order__placed').date_part('minute') }} = 1" }`,
    /part minute/,
  ],
  [
    "an unknown constant property of a conversion",
    "{ name: m, type: conversion, type_params: { conversion_type_params: { base_measure: total, conversion_measure: total, entity: order, constant_properties: [{ base_property: a, conversion_property: a }] } } }",
    /a is not a column of orders/,
  ],
  ["a second metric of the same name", "{ name: total, type: simple, type_params: { measure: total } }", /same name/],
];
for (const [what, yaml, reason] of metrics) {
  test(`${what} in a MetricFlow metric is refused with its line`, () => {
    const findings = withMetric(yaml);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^13 refused metric (m|total): /);
    expect(findings[0]).toMatch(reason);
  });
}

test("documents of one file are read with their lines, as MetricFlow separates them", () => {
  const text = `---
semantic_model:
  name: orders
  node_relation: { schema_name: $source_schema, alias: orders }
  measures:
    - { name: total, agg: sum, expr: amount, create_metric: true }
---
metric:
  name: half
  type: derived
  type_params: { expr: total / 2, metrics: [total] }
---
metric:
  name: wrong
  type: nothing
  type_params: {}
`;
  const { models, findings } = importMetricFlow([{ file: "m.yaml", text }], { variables: { source_schema: "demo" } });
  expect(models).toMatchObject([{ name: "orders", table: "demo.orders", metrics: [{ name: "half" }] }]);
  expect(findings).toMatchObject([{ subject: "metric wrong", position: { file: "m.yaml", line: 15 } }]);
});

test("what belongs to the semantic layer and is no model is in the findings", () => {
  const text = `saved_queries:
  - name: q
    query_params: { metrics: [total] }
models:
  - name: orders
    semantic_model: { enabled: true }
  - name: days
    time_spine: { standard_granularity_column: day }
`;
  expect(findingsOf(text)).toEqual([
    expect.stringMatching(/^1 refused saved_queries/),
    expect.stringMatching(/^6 refused semantic model orders/),
    expect.stringMatching(/^7 refused time spine days/),
  ]);
});

test("a file that is no YAML is a finding, and the others are imported", () => {
  const files = [
    { file: "bad.yml", text: "a: [1" },
    { file: "m.yml", text: start },
  ];
  const { models, findings } = importMetricFlow(files);
  expect(models.map(({ name }) => name)).toEqual(["orders"]);
  expect(findings).toMatchObject([{ subject: "bad.yml", position: { file: "bad.yml", line: 1 } }]);
});

test("entities over expressions and with roles are refused, and the model stays", () => {
  const text = start
    .replace(
      "      - { name: order, type: primary, expr: id }",
      "      - { name: order, type: primary, expr: id }\n      - { name: day_key, type: foreign, expr: cast(placed as text) }\n      - { name: rider, type: foreign, role: r }",
    )
    .replace(
      "metrics:",
      "  - name: days\n    model: ref('days')\n    entities: [{ name: day_key, type: primary, expr: key }]\nmetrics:",
    );
  expect(findingsOf(text)).toEqual([
    expect.stringMatching(/^7 refused join to days by entity day_key/),
    expect.stringMatching(/^8 refused entity rider/),
  ]);
});
