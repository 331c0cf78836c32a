/** Models of the shop whose rows come from statements, and whose measures aggregate themselves or have windows. */
import type { TypedExpression } from "../src/ir/sql-expression.ts";

export const measureFormModels: readonly object[] = [
  {
    name: "order_totals",
    table: "orders",
    primary_key: ["id"],
    default_time: "ordered",
    joins: [{ to: "customers", on: [["customer_id", "id"]], relationship: "many_to_one" }],
    dimensions: [{ name: "status" }, { name: "ordered", expr: "ordered_at", type: "time" }],
    measures: [
      { name: "revenue", agg: "sum", expr: "amount" },
      { name: "per_fee", expr: "sum(amount) / nullif(count(fee), 0)" },
      { name: "paid_per_buyer", expr: "sum(amount) / count(DISTINCT customer_id)", filters: ["status = 'paid'"] },
      { name: "left_over", expr: "revenue - sum(fee)" },
      { name: "of_two_months", agg: "sum", expr: "amount", window: { count: 2, grain: "month" } },
      {
        name: "buyers_of_two_months",
        agg: "count_distinct",
        expr: "customer_id",
        window: { count: 2, grain: "month" },
      },
      { name: "per_buyer", expr: "sum(amount) / count(DISTINCT customer_id)", window: { count: 2, grain: "month" } },
    ],
    metrics: [
      { name: "fees", type: "derived", expr: "sum(fee)" },
      { name: "rate", type: "ratio", numerator: "fees", denominator: "revenue", window: { count: 2, grain: "month" } },
      { name: "before", type: "offset", measure: "of_two_months", offset: { count: 1, grain: "month" } },
      { name: "twice", type: "cumulative", measure: "of_two_months" },
    ],
  },
  {
    name: "order_sizes",
    sql: `SELECT o.id, o.customer_id, o.status, sum(i.quantity) AS units, count(*) AS item_lines
FROM orders o JOIN order_items i ON i.order_id = o.id
GROUP BY o.id, o.customer_id, o.status -- metric_f0 is no name of ours`,
    primary_key: ["id"],
    joins: [{ to: "customers", on: [["customer_id", "id"]], relationship: "many_to_one" }],
    dimensions: [{ name: "units", type: "number" }, { name: "status" }],
    measures: [
      { name: "count", agg: "count" },
      { name: "average_units", agg: "avg", expr: "units" },
      { name: "largest", agg: "max", expr: "units" },
    ],
  },
];

export const statementColumns: Readonly<Record<string, Readonly<Record<string, TypedExpression>>>> = {
  order_totals: {
    id: { type: "integer" },
    customer_id: { type: "integer" },
    status: { type: "text" },
    amount: { type: "decimal", scale: 2 },
    fee: { type: "decimal", scale: 2 },
    ordered_at: { type: "timestamp" },
  },
  order_sizes: {
    id: { type: "integer" },
    customer_id: { type: "integer" },
    status: { type: "text" },
    units: { type: "integer" },
    item_lines: { type: "integer" },
  },
};
