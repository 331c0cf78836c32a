import type { TypedExpression } from "@bridle/semantic";
import { expect, test } from "vitest";
import { importMetricModels, recogniseFormats } from "../src/import-metric-models.ts";
import { metricFormats } from "../src/registry.ts";

const metricFlow = `semantic_models:
  - name: orders
    model: ref('orders')
    entities:
      - { name: order, type: primary, expr: id }
      - { name: customer, type: foreign, expr: customer_id }
    dimensions:
      - { name: channel, type: categorical }
    measures:
      - { name: total, agg: sum, expr: amount }
      - { name: taxes, agg: sum, expr: tax }
  - name: customers
    model: ref('customers')
    entities: [{ name: customer, type: primary, expr: id }]
    dimensions: [{ name: city, type: categorical }]
metrics:
  - { name: taxed, type: derived, type_params: { expr: total + taxes, metrics: [total, taxes] } }
  - { name: total, type: simple, type_params: { measure: total } }
  - { name: taxes, type: simple, type_params: { measure: taxes } }
`;
const osi = "version: 0.2.0.dev0\nsemantic_model: [{ name: m, datasets: [{ name: t, source: t }] }]\n";
const file = (text: string, name = "m.yml") => ({ file: name, text });
const [metricFlowFormat] = metricFormats;
const integer: TypedExpression = { type: "integer" };
const columns = (...names: string[]) => Object.fromEntries(names.map((name) => [name, integer]));

test.each([
  ["MetricFlow's semantic models", metricFlow, "m.yml", ["metricflow"]],
  ["MetricFlow's metrics alone", metricFlow.slice(metricFlow.indexOf("metrics:")), "m.yaml", ["metricflow"]],
  ["an OSI document", osi, "m.yaml", ["osi"]],
  ["an OSI document in JSON", '{"version":"0.1.1","semantic_model":[]}', "m.json", ["osi"]],
  ["LookML", "view: v {}", "v.view.lkml", ["lookml"]],
  ["a cube in YAML", "cubes: [{ name: c }]", "c.yml", ["cube"]],
  ["a view of cubes", "views: [{ name: v, cubes: [{ join_path: c }] }]", "c.yaml", ["cube"]],
  ["a cube in YAML with Jinja", "{% for x in y %}\ncubes:\n{% endfor %}", "c.yml", ["cube"]],
  ["a cube in JavaScript", "import x from 'y';\ncube(`c`, {});", "c.js", ["cube"]],
  ["another JavaScript", "export const cube = (a) => a;", "c.js", []],
  ["an empty file", "", "m.yml", []],
  ["a file that is no YAML", "a: [", "m.yml", []],
  ["a file with another ending", metricFlow, "m.txt", []],
  ["another YAML file", "version: 2\nmodels: [{ name: orders }]\nmetrics: [1]\n", "m.yml", []],
])("%s is recognised by its keys", (_what, text, name, expected) => {
  expect(recogniseFormats([file(text, name)]).map(({ id }) => id)).toEqual(expected);
});

function importPlaced(known: Readonly<Record<string, Readonly<Record<string, TypedExpression>>>>) {
  if (metricFlowFormat === undefined) throw new Error("There is no format.");
  return importMetricModels(metricFlowFormat, [file(metricFlow)], {
    placeModel: (model) => {
      const { table = "" } = model;
      const found = known[table];
      const placed = { ...model, table: `shop.${table}` };
      return found ? { model: placed, columns: found } : `There is no table ${table}.`;
    },
  });
}

test("what names a missing column is refused with its line, and so is what depends on it", () => {
  const known = { orders: columns("id", "customer_id", "channel", "amount"), customers: columns("id", "city") };
  const { models, findings } = importPlaced(known);
  expect(findings.map(({ position, subject }) => `${position.line} ${subject}`)).toEqual([
    "11 measure taxes",
    "17 metric taxed",
  ]);
  expect(models).toMatchObject([{ table: "shop.orders", measures: [{ name: "total" }] }, { table: "shop.customers" }]);
  expect(models[0]?.metrics).toBeUndefined();
});

test("a model without a table is refused with its line, and so are the joins to it", () => {
  const { models, findings } = importPlaced({ orders: columns("id", "customer_id", "channel", "amount", "tax") });
  expect(models.map(({ name, joins }) => [name, joins])).toEqual([["orders", undefined]]);
  expect(findings.map(({ position, subject, reason }) => `${position.line} ${subject}: ${reason}`)).toEqual([
    expect.stringMatching(/^6 join customer: There is no model "customers"/),
    "12 model customers: There is no table customers.",
  ]);
});
