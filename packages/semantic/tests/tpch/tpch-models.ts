/** The tables of TPC-H as models. */
import { semanticModelSchema } from "../../src/models/model-schema.ts";
import { ModelSet } from "../../src/models/model-set.ts";
import { columnFacts, type TestTable } from "../table-data.ts";
import { tpchStatementColumns, tpchStatementModels } from "./statement-models.ts";

function model(name: string, columns: readonly string[], more: object) {
  return { name, table: name, dimensions: columns.map((column) => ({ name: column })), ...more };
}

function toOne(to: string, ...on: readonly (readonly [string, string])[]) {
  return { to, on, relationship: "many_to_one" };
}

const price = "l_extendedprice * (1 - l_discount)";

/** Writes an expression that is 0 for other rows, as in the specification. A measure with a filter would have no sum if no rows match. */
function onlyIf(condition: string): string {
  return `CASE WHEN ${condition} THEN ${price} ELSE 0 END`;
}

const lineitem = model(
  "lineitem",
  [
    "l_quantity",
    "l_discount",
    "l_returnflag",
    "l_linestatus",
    "l_shipdate",
    "l_commitdate",
    "l_receiptdate",
    "l_shipinstruct",
    "l_shipmode",
    "l_suppkey",
  ],
  {
    primary_key: ["l_orderkey", "l_linenumber"],
    joins: [
      toOne("orders", ["l_orderkey", "o_orderkey"]),
      toOne("part", ["l_partkey", "p_partkey"]),
      toOne("supplier", ["l_suppkey", "s_suppkey"]),
      toOne("partsupp", ["l_partkey", "ps_partkey"], ["l_suppkey", "ps_suppkey"]),
    ],
    measures: [
      { name: "lines", agg: "count" },
      { name: "quantity", agg: "sum", expr: "l_quantity" },
      { name: "base_price", agg: "sum", expr: "l_extendedprice" },
      { name: "revenue", agg: "sum", expr: price },
      { name: "charge", agg: "sum", expr: `${price} * (1 + l_tax)` },
      { name: "mean_quantity", agg: "avg", expr: "l_quantity" },
      { name: "mean_price", agg: "avg", expr: "l_extendedprice" },
      { name: "mean_discount", agg: "avg", expr: "l_discount" },
      { name: "forgone", agg: "sum", expr: "l_extendedprice * l_discount" },
      { name: "profit", agg: "sum", expr: `${price} - partsupp.ps_supplycost * l_quantity` },
      { name: "brazilian", agg: "sum", expr: onlyIf("supplier.nation.n_name = 'BRAZIL'") },
      { name: "promoted", agg: "sum", expr: onlyIf("part.p_type LIKE 'PROMO%'") },
      { name: "urgent", agg: "count", filters: ["orders.o_orderpriority IN ('1-URGENT', '2-HIGH')"] },
      { name: "calm", agg: "count", filters: ["orders.o_orderpriority NOT IN ('1-URGENT', '2-HIGH')"] },
    ],
    metrics: [
      { name: "brazilian_share", type: "ratio", numerator: "brazilian", denominator: "revenue" },
      { name: "promoted_percent", type: "derived", expr: "100 * promoted / revenue" },
    ],
  },
);

const models: readonly object[] = [
  model("region", ["r_name"], { primary_key: ["r_regionkey"] }),
  model("nation", ["n_name"], {
    primary_key: ["n_nationkey"],
    joins: [toOne("region", ["n_regionkey", "r_regionkey"])],
  }),
  model("supplier", ["s_suppkey", "s_name", "s_nationkey", "s_acctbal", "s_comment"], {
    primary_key: ["s_suppkey"],
    joins: [toOne("nation", ["s_nationkey", "n_nationkey"])],
  }),
  model("customer", ["c_custkey", "c_name", "c_nationkey", "c_acctbal", "c_mktsegment"], {
    primary_key: ["c_custkey"],
    joins: [toOne("nation", ["c_nationkey", "n_nationkey"])],
  }),
  model("part", ["p_partkey", "p_name", "p_mfgr", "p_brand", "p_type", "p_size", "p_container"], {
    primary_key: ["p_partkey"],
  }),
  model("partsupp", ["ps_partkey"], {
    primary_key: ["ps_partkey", "ps_suppkey"],
    joins: [toOne("part", ["ps_partkey", "p_partkey"]), toOne("supplier", ["ps_suppkey", "s_suppkey"])],
    measures: [
      { name: "cost", agg: "min", expr: "ps_supplycost" },
      { name: "value", agg: "sum", expr: "ps_supplycost * ps_availqty" },
      { name: "suppliers", agg: "count_distinct", expr: "ps_suppkey" },
    ],
    metrics: [{ name: "value_share", type: "share", measure: "value" }],
  }),
  model("orders", ["o_orderkey", "o_totalprice", "o_orderdate", "o_orderpriority", "o_shippriority"], {
    primary_key: ["o_orderkey"],
    joins: [toOne("customer", ["o_custkey", "c_custkey"])],
    measures: [{ name: "count", agg: "count" }],
  }),
  lineitem,
];

export function tpchModels(tables: readonly TestTable[]): ModelSet {
  const columns = Object.fromEntries(tables.map((table) => [table.name, columnFacts(table)]));
  return new ModelSet(
    [...models, ...tpchStatementModels].map((each) => semanticModelSchema.parse(each)),
    { columns: { ...columns, ...tpchStatementColumns } },
  );
}
