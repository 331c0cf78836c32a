import { expect, test } from "vitest";
import { readModelFiles } from "../src/files/read-model-files.ts";
import type { SemanticFacts } from "../src/models/model-facts.ts";

const orders = `name: orders
table: main.orders
primary_key: [id]
default_time: at
joins:
  - to: customers
    on: [[customer_id, id]]
    relationship: many_to_one
dimensions:
  - name: at
    type: time
    expr: ordered_at
  - name: status
measures:
  - name: count
    agg: count
  - name: revenue
    agg: sum
    expr: amount
metrics:
  - name: running
    type: cumulative
    measure: revenue
    window: { count: 2, grain: month }
segments:
  - name: paid
    filter: status = 'paid'
`;
const customers = `name: customers
table: main.customers
primary_key: [id]
dimensions:
  - name: region
`;
const columns: NonNullable<SemanticFacts["columns"]> = {
  orders: {
    id: { type: "integer" },
    customer_id: { type: "integer" },
    ordered_at: { type: "timestamp" },
    status: { type: "text" },
    amount: { type: "decimal", scale: 2 },
  },
  customers: { id: { type: "integer" }, region: { type: "text" } },
};

function problemsOf(from: string, to: string): readonly string[] {
  const text = orders.replace(from, to);
  expect(text).not.toBe(orders);
  const files = [
    { file: "orders.yaml", text },
    { file: "customers.yaml", text: customers },
  ];
  const { models, problems } = readModelFiles(files, { columns });
  expect(models).toBeUndefined();
  return problems.map(({ position, message }) => `${position.file}:${position.line}:${position.column} ${message}`);
}

test("files without faults are a set of models", () => {
  const files = [
    { file: "orders.yaml", text: orders },
    { file: "customers.yaml", text: customers },
  ];
  const { models, problems } = readModelFiles(files, { columns });
  expect(problems).toEqual([]);
  expect([...(models?.models.keys() ?? [])]).toEqual(["orders", "customers"]);
});

const faults: readonly (readonly [what: string, from: string, to: string, found: string])[] = [
  [
    "a key that does not exist",
    "primary_key:",
    "primary_keys:",
    'orders.yaml:3:1 Unknown key "primary_keys". Did you mean "primary_key"?',
  ],
  [
    "a key of a measure",
    "    expr: amount",
    "    exp: amount",
    'orders.yaml:19:5 Unknown key "exp". Did you mean "expr"?',
  ],
  [
    "a key of a metric",
    "    measure: revenue",
    "    measures: revenue",
    'Unknown key "measures". Did you mean "measure"?',
  ],
  [
    "an aggregation",
    "agg: sum",
    "agg: sun",
    'orders.yaml:18:5 measures.1.agg is "sun", and must be one of count, count_distinct, sum, avg, min, max, median. Did you mean "sum"?',
  ],
  ["a type of metrics", "type: cumulative", "type: cumulativ", 'Did you mean "cumulative"?'],
  [
    "a grain",
    "grain: month",
    "grain: months",
    'orders.yaml:24:25 metrics.0.window.grain is "months", and must be one of hour, day, week, month, quarter, year. Did you mean "month"?',
  ],
  ["a list", orders, "- orders", "orders.yaml:1:1 The file must be a mapping. Correct the value."],
  ["a missing table", "table: main.orders\n", "", "orders.yaml:1:1 table is missing. Write it, or sql."],
  [
    "a table and a statement",
    "table: main.orders",
    "table: main.orders\nsql: SELECT 1 AS id",
    "orders.yaml:2:1 table and sql exclude each other. Keep one.",
  ],
  [
    "a measure without aggregation and expression",
    "    agg: sum\n    expr: amount\n",
    "",
    "measures.1.agg is missing. Write one, or an expr that aggregates itself, such as sum(a) / count(b).",
  ],
  [
    "a column that is not aggregated",
    "    agg: sum\n",
    "",
    'orders.yaml:17:5 There is no measure or metric "amount". Did you mean "count"? An expr without agg aggregates itself, such as sum(amount).',
  ],
  [
    "a state without an aggregation",
    "    agg: sum\n    expr: amount\n",
    "    expr: sum(amount)\n    semi_additive: { time: at, pick: last }\n",
    "measures.1.semi_additive needs an agg. Write one, and the column as expr.",
  ],
  [
    "a format",
    "    expr: amount\n",
    "    expr: amount\n    format: usd\n",
    "measures.1.format is not a valid format. Write a pattern such as #,##0.00, 0.0%, #,##0 EUR or $#,##0.00.",
  ],
  [
    "a model that does not exist",
    "to: customers",
    "to: customer",
    'orders.yaml:6:5 There is no model "customer". Did you mean "customers"?',
  ],
  [
    "a column of a join",
    "[[customer_id, id]]",
    "[[customer, id]]",
    'orders.yaml:7:5 There is no column of orders "customer". Did you mean "customer_id"?',
  ],
  [
    "a column of the key",
    "primary_key: [id]",
    "primary_key: [idd]",
    'orders.yaml:3:15 There is no column of orders "idd". Did you mean "id"?',
  ],
  [
    "a column of a dimension",
    "expr: ordered_at",
    "expr: orderd_at",
    'orders.yaml:12:5 There is no column of orders "orderd_at". Did you mean "ordered_at"?',
  ],
  [
    "a column of a measure",
    "expr: amount",
    "expr: amuont",
    'orders.yaml:17:5 There is no column of orders "amuont". Did you mean "amount"?',
  ],
  [
    "a sum of texts",
    "expr: amount",
    "expr: status",
    "orders.yaml:17:5 sum of the measure revenue is applied to a text",
  ],
  [
    "a measure of a metric",
    "measure: revenue",
    "measure: revenu",
    'orders.yaml:21:5 There is no measure or metric "revenu". Did you mean "revenue"?',
  ],
  [
    "a default time",
    "default_time: at",
    "default_time: att",
    'orders.yaml:4:1 There is no dimension "att" in orders. Did you mean "at"?',
  ],
  [
    "a default time that is a text",
    "default_time: at",
    "default_time: status",
    "orders.yaml:4:1 default_time is the dimension status, which is a text. Name a time.",
  ],
  [
    "a field of a segment",
    "filter: status =",
    "filter: statsu =",
    'There is no column of orders "statsu". Did you mean "status"?',
  ],
  ["a subquery in a segment", "filter: status = 'paid'", "filter: id in (select id from secrets)", "orders.yaml:27:5"],
  [
    "a name that occurs twice",
    "name: revenue",
    "name: count",
    'orders.yaml:17:5 The name "count" occurs twice in orders. Rename one of them.',
  ],
  [
    "a model that occurs twice",
    "name: orders",
    "name: customers",
    'The model "customers" is in orders.yaml too. Rename one of them.',
  ],
  ["no YAML", "joins:", "joins: [", "This is not YAML"],
];

for (const [what, from, to, found] of faults) {
  test(`a wrong file is refused with its line: ${what}`, () => {
    expect(problemsOf(from, to).join("\n")).toContain(found);
  });
}
