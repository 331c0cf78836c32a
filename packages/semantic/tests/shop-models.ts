import type { KeyViolation } from "../src/models/model-facts.ts";
import { type SemanticModel, semanticModelSchema } from "../src/models/model-schema.ts";
import { ModelSet } from "../src/models/model-set.ts";
import { depotModels } from "./depot-models.ts";
import { measureFormModels, statementColumns } from "./measure-form-models.ts";
import { shopTables } from "./shop-tables.ts";
import { columnFacts } from "./table-data.ts";

const models: readonly object[] = [
  {
    name: "regions",
    table: "regions",
    primary_key: ["id"],
    dimensions: [{ name: "name" }],
    measures: [{ name: "count", agg: "count" }],
  },
  {
    name: "customers",
    table: "customers",
    primary_key: ["id"],
    joins: [
      { to: "regions", on: [["region_id", "id"]], relationship: "many_to_one" },
      { name: "referrer", to: "customers", on: [["referrer_id", "id"]], relationship: "many_to_one" },
      { to: "profiles", on: [["id", "customer_id"]], relationship: "one_to_one" },
    ],
    dimensions: [
      { name: "name" },
      { name: "vip" },
      { name: "joined", type: "time", grain: "day" },
      { name: "initial", expr: "CASE WHEN name = 'Ada' THEN 'A' ELSE 'other' END" },
      { name: "not_ada", expr: "nullif('another', CASE WHEN name = 'Ada' THEN 'another' END)" },
      { name: "place", expr: "coalesce(regions.name, 'nowhere')" },
    ],
    measures: [
      { name: "count", agg: "count" },
      { name: "named", agg: "count_distinct", expr: "name" },
      { name: "first_name", agg: "min", expr: "name" },
    ],
    segments: [
      { name: "vips", filter: "vip" },
      { name: "short_names", filter: "length(coalesce(name, '')) < 4" },
    ],
    metrics: [
      {
        ...{ type: "simple", name: "small_lines", measure: "order_items.count" },
        filters: ["coalesce(order_items.quantity, 0) < 3"],
      },
    ],
  },
  {
    name: "profiles",
    table: "profiles",
    primary_key: ["customer_id"],
    dimensions: [{ name: "tier" }],
    measures: [
      { name: "score", agg: "sum" },
      { name: "count", agg: "count" },
    ],
  },
  {
    name: "addresses",
    table: "addresses",
    primary_key: ["id"],
    dimensions: [{ name: "city" }, { name: "country" }],
    measures: [{ name: "count", agg: "count" }],
  },
  {
    name: "orders",
    table: "orders",
    primary_key: ["id"],
    default_time: "ordered",
    joins: [
      { to: "customers", on: [["customer_id", "id"]], relationship: "many_to_one" },
      { name: "ship", to: "addresses", on: [["ship_id", "id"]], relationship: "many_to_one" },
      { name: "bill", to: "addresses", on: [["bill_id", "id"]], relationship: "many_to_one" },
    ],
    dimensions: [
      { name: "status" },
      { name: "ordered", expr: "ordered_at", type: "time" },
      { name: "shipped", expr: "shipped_on", type: "date" },
      { name: "big", type: "number" },
      { name: "price", expr: "amount", type: "number" },
      { name: "margin", expr: "amount - fee" },
      { name: "day", expr: "CAST(ordered_at AS date)", type: "time", grain: "day" },
      { name: "hour", expr: "hour(ordered_at)" },
      { name: "full_hour", expr: "date_trunc('hour', ordered_at)" },
      { name: "some_hour", expr: "coalesce(date_trunc('hour', ordered_at), ordered_at)" },
      { name: "size", expr: "CASE WHEN amount >= 50 THEN 'large' WHEN amount IS NOT NULL THEN 'small' END" },
    ],
    measures: [
      { name: "count", agg: "count" },
      { name: "with_amount", agg: "count", expr: "amount" },
      { name: "revenue", agg: "sum", expr: "amount" },
      { name: "fees", agg: "sum", expr: "fee" },
      { name: "net", agg: "sum", expr: "amount - coalesce(fee, 0)" },
      { name: "average", agg: "avg", expr: "amount" },
      { name: "middle", agg: "median", expr: "amount" },
      { name: "largest", agg: "max", expr: "amount" },
      { name: "smallest", agg: "min", expr: "amount" },
      { name: "buyers", agg: "count_distinct", expr: "customer_id" },
      { name: "statuses", agg: "count_distinct", expr: "status" },
      { name: "big", agg: "sum" },
      { name: "greatest", agg: "max", expr: "big" },
      { name: "paid", agg: "count", filters: ["status = 'paid'"] },
      { name: "paid_revenue", agg: "sum", expr: "amount", filters: ["status = 'paid'"] },
      { name: "vip_revenue", agg: "sum", expr: "amount", filters: ["customers.vip"] },
      { name: "last_order", agg: "max", expr: "ordered_at" },
    ],
    segments: [
      { name: "large", filter: "amount >= 50" },
      { name: "since_april", filter: "ordered >= '2024-04-01'" },
      { name: "with_pens", filter: "products.name = 'Pen'" },
    ],
    metrics: [
      { type: "simple", name: "turnover", measure: "revenue" },
      { type: "simple", name: "paid_only", measure: "revenue", filters: ["status = 'paid'"] },
      { type: "ratio", name: "paid_share", numerator: "paid", denominator: "count" },
      { type: "ratio", name: "fee_rate", numerator: "fees", denominator: "revenue" },
      { type: "derived", name: "profit", expr: "revenue - fees" },
      { type: "derived", name: "per_missing", expr: "revenue / (count - with_amount)" },
      { type: "derived", name: "minutes_per_order", expr: "tickets.minutes / count" },
      { type: "cumulative", name: "running", measure: "revenue" },
      { type: "cumulative", name: "running_count", measure: "count" },
      { type: "cumulative", name: "running_buyers", measure: "buyers" },
      { type: "cumulative", name: "two_months", measure: "revenue", window: { count: 2, grain: "month" } },
      { type: "cumulative", name: "week_buyers", measure: "buyers", window: { count: 7, grain: "day" } },
      { type: "cumulative", name: "week_revenue", measure: "revenue", window: { count: 10, grain: "day" } },
      { type: "cumulative", name: "year_to_date", measure: "revenue", grain_to_date: "year" },
      { type: "cumulative", name: "quarter_to_date", measure: "revenue", grain_to_date: "quarter" },
      { type: "cumulative", name: "year_buyers", measure: "buyers", grain_to_date: "year" },
      { type: "cumulative", name: "month_to_date", measure: "count", grain_to_date: "month" },
      { type: "cumulative", name: "running_average", measure: "average" },
      { type: "offset", name: "month_before", measure: "revenue", offset: { count: 1, grain: "month" } },
      {
        type: "offset",
        name: "month_change",
        measure: "revenue",
        offset: { count: 1, grain: "month" },
        result: "difference",
      },
      {
        type: "offset",
        name: "month_growth",
        measure: "count",
        offset: { count: 1, grain: "month" },
        result: "growth",
      },
      { type: "share", name: "share", measure: "revenue" },
      { type: "derived", name: "per_buyer", expr: "sum(amount) / count(DISTINCT customer_id)" },
      { type: "derived", name: "net_of_minutes", expr: "sum(orders.amount) - sum(tickets.minutes)" },
      { type: "derived", name: "large_share", expr: "sum(CASE WHEN size = 'large' THEN 1 ELSE 0 END) / count(*)" },
    ],
  },
  {
    name: "order_items",
    table: "order_items",
    primary_key: ["order_id", "line"],
    joins: [
      { to: "orders", on: [["order_id", "id"]], relationship: "many_to_one" },
      { to: "products", on: [["product_id", "id"]], relationship: "many_to_one" },
    ],
    dimensions: [
      { name: "line", type: "number" },
      { name: "quantity", type: "number" },
    ],
    measures: [
      { name: "count", agg: "count" },
      { name: "units", agg: "sum", expr: "quantity" },
      { name: "value", agg: "sum", expr: "quantity * price" },
      { name: "average_price", agg: "avg", expr: "price" },
      { name: "squared", agg: "sum", expr: "price * price" },
      { name: "orders", agg: "count_distinct", expr: "order_id" },
      { name: "products", agg: "count_distinct", expr: "product_id" },
    ],
  },
  {
    name: "products",
    table: "products",
    primary_key: ["id"],
    dimensions: [{ name: "name" }, { name: "category" }],
    measures: [{ name: "count", agg: "count" }],
  },
  {
    name: "tags",
    table: "tags",
    primary_key: ["id"],
    dimensions: [{ name: "label" }],
    measures: [{ name: "count", agg: "count" }],
  },
  {
    name: "product_tags",
    table: "product_tags",
    primary_key: ["product_id", "tag_id"],
    joins: [
      { to: "products", on: [["product_id", "id"]], relationship: "many_to_one" },
      { to: "tags", on: [["tag_id", "id"]], relationship: "many_to_one" },
    ],
  },
  {
    name: "tickets",
    table: "tickets",
    primary_key: ["id"],
    joins: [{ to: "customers", on: [["customer_id", "id"]], relationship: "many_to_one" }],
    dimensions: [
      { name: "id", type: "number" },
      { name: "priority" },
      { name: "opened", expr: "opened_on", type: "date" },
    ],
    measures: [
      { name: "count", agg: "count" },
      { name: "minutes", agg: "sum" },
      { name: "average", agg: "avg", expr: "minutes" },
      { name: "middle", agg: "median", expr: "minutes" },
    ],
    metrics: [{ type: "offset", name: "count_before", measure: "count", offset: { count: 1, grain: "month" } }],
  },
  {
    name: "accounts",
    table: "accounts",
    primary_key: ["id"],
    joins: [{ to: "customers", on: [["customer_id", "id"]], relationship: "many_to_one" }],
    dimensions: [{ name: "kind" }],
    measures: [{ name: "count", agg: "count" }],
  },
  {
    name: "balances",
    table: "balances",
    primary_key: ["account_id", "day"],
    joins: [{ to: "accounts", on: [["account_id", "id"]], relationship: "many_to_one" }],
    dimensions: [{ name: "day", type: "time", grain: "day" }, { name: "open" }],
    measures: [
      {
        name: "closing",
        agg: "sum",
        expr: "balance",
        semi_additive: { time: "day", pick: "last", per: ["account_id"] },
      },
      {
        name: "opening",
        agg: "sum",
        expr: "balance",
        semi_additive: { time: "day", pick: "first", per: ["account_id"] },
      },
      { name: "last_day", agg: "sum", expr: "balance", semi_additive: { time: "day", pick: "last" } },
      {
        name: "open_closing",
        agg: "sum",
        expr: "balance",
        filters: ["open"],
        semi_additive: { time: "day", pick: "last", per: ["account_id"] },
      },
      { name: "average", agg: "avg", expr: "balance" },
      { name: "rows", agg: "count" },
    ],
    metrics: [
      { type: "cumulative", name: "running_closing", measure: "closing" },
      { type: "offset", name: "closing_before", measure: "closing", offset: { count: 1, grain: "month" } },
    ],
  },
  {
    name: "rates",
    table: "rates",
    primary_key: ["product_id", "valid_from"],
    dimensions: [{ name: "rate", type: "number" }],
  },
  {
    name: "sales",
    table: "sales",
    primary_key: ["id"],
    joins: [
      {
        to: "rates",
        on: "{from}.product_id = {to}.product_id AND {from}.sold_on >= {to}.valid_from AND {from}.sold_on < {to}.valid_to",
        relationship: "many_to_one",
      },
      {
        to: "targets",
        on: [
          ["region", "region"],
          ["channel", "channel"],
        ],
        relationship: "many_to_one",
      },
      {
        name: "any_target",
        to: "targets",
        on: "{from}.region = {to}.region AND ({from}.channel = {to}.channel OR {to}.quota >= 40)",
        relationship: "one_to_many",
      },
    ],
    dimensions: [{ name: "region" }, { name: "channel" }, { name: "sold", expr: "sold_on", type: "date" }],
    measures: [
      { name: "count", agg: "count" },
      { name: "units", agg: "sum" },
      { name: "valued", agg: "sum", expr: "units * rates.rate" },
    ],
    metrics: [{ type: "cumulative", name: "year_to_date", measure: "units", grain_to_date: "year" }],
  },
  {
    name: "targets",
    table: "targets",
    primary_key: ["region", "channel"],
    dimensions: [{ name: "owner" }, { name: "channel" }, { name: "quota", type: "number" }],
    measures: [
      { name: "quota", agg: "sum" },
      { name: "count", agg: "count" },
    ],
  },
  {
    name: "visits",
    table: "visits",
    primary_key: ["id"],
    default_time: "at",
    dimensions: [{ name: "source" }, { name: "at", expr: "happened", type: "time" }],
    measures: [
      { name: "count", agg: "count" },
      { name: "visitors", agg: "count_distinct", expr: "user_id" },
    ],
    metrics: [
      ...[
        { name: "conversion", window: { count: 7, grain: "day" } },
        { name: "conversion_ever" },
        { name: "conversions", window: { count: 7, grain: "day" }, result: "count" },
        { name: "known_conversions", window: { count: 7, grain: "day" }, result: "count", empty: "null" },
      ].map((more) => ({
        ...{ type: "conversion", base: "count", conversion: "purchases.count", entity: "user_id", ...more },
      })),
      {
        ...{ type: "conversion", name: "paid_after", base: "count", conversion: "purchases.paid", entity: "user_id" },
        ...{ window: { count: 2, grain: "week" }, result: "count" },
      },
      {
        ...{ type: "conversion", name: "large_after", base: "count", conversion: "purchases.large_count" },
        ...{ entity: ["user_id", "user_id"], result: "count" },
      },
      {
        ...{ type: "conversion", name: "within_month", base: "count", conversion: "purchases.count" },
        ...{ entity: "user_id", window: { count: 1, grain: "month" } },
      },
    ],
  },
  {
    name: "purchases",
    table: "purchases",
    primary_key: ["id"],
    default_time: "at",
    dimensions: [{ name: "at", expr: "happened", type: "time" }],
    measures: [
      { name: "count", agg: "count" },
      { name: "paid", agg: "sum" },
    ],
    metrics: [{ type: "simple", name: "large_count", measure: "count", filters: ["paid >= 8"] }],
  },
  {
    name: "badges",
    table: "badges",
    primary_key: ["code"],
    default_time: "day",
    dimensions: [{ name: "code" }, { name: "score" }, { name: "day", type: "date" }],
    measures: [
      { name: "count", agg: "count" },
      { name: "score", agg: "sum" },
      { name: "last_score", agg: "sum", expr: "score", semi_additive: { time: "day", pick: "last", per: ["holder"] } },
    ],
    metrics: [
      {
        ...{ type: "conversion", name: "entered", base: "count", conversion: "entries.count" },
        ...{ entity: ["code", "code"], result: "count" },
      },
    ],
  },
  {
    name: "entries",
    table: "entries",
    primary_key: ["id"],
    joins: [{ to: "badges", on: [["code", "code"]], relationship: "many_to_one" }],
    default_time: "day",
    dimensions: [{ name: "door" }, { name: "code" }, { name: "day", type: "date" }],
    measures: [{ name: "count", agg: "count" }],
  },
  {
    name: "signals",
    table: "signals",
    primary_key: ["id"],
    dimensions: [{ name: "at", expr: "happened", type: "time" }],
    measures: [
      { name: "value", agg: "sum" },
      { name: "count", agg: "count" },
    ],
    metrics: [
      { type: "cumulative", name: "day_value", measure: "value", window: { count: 1, grain: "day" } },
      { type: "cumulative", name: "month_value", measure: "value", window: { count: 7, grain: "month" } },
      { type: "offset", name: "day_before", measure: "value", offset: { count: 1, grain: "day" } },
    ],
  },
];

const shopModels: readonly SemanticModel[] = [...models, ...depotModels, ...measureFormModels].map((model) =>
  semanticModelSchema.parse(model),
);

export function shopModelSet(violations: readonly KeyViolation[] = []): ModelSet {
  const columns = Object.fromEntries(shopTables.map((table) => [table.name, columnFacts(table)]));
  return new ModelSet(shopModels, { columns: { ...columns, ...statementColumns }, violations });
}
