/** Models based on statements, for TPC-H queries that aggregate aggregates or look for rows without a match. */
import type { TypedExpression } from "../../src/ir/sql-expression.ts";
import type { TpchQuery } from "./tpch-queries.ts";

const integer = { type: "integer" } as const;
const decimal = { type: "decimal", scale: 2 } as const;
const text = { type: "text" } as const;

/** Query 13: the number of orders of each customer. */
const customerOrders = `select c_custkey, count(o_orderkey) as orders from customer left join orders on c_custkey = o_custkey group by c_custkey`;
/** Query 17: lines with the mean quantity of their part. */
const linesOfParts = `select l_orderkey, l_linenumber, l_extendedprice, l_quantity, p_brand, p_container, avg(l_quantity) over (partition by l_partkey) as mean_quantity from lineitem join part on p_partkey = l_partkey`;
/** Query 20: the available quantity of each supplier's part, with half of the quantity that was shipped in a year. */
const partSupply = `select ps_partkey, ps_suppkey, ps_availqty, shipped, p_name, s_name, n_name from partsupp join part on p_partkey = ps_partkey join supplier on s_suppkey = ps_suppkey join nation on n_nationkey = s_nationkey left join (select l_partkey, l_suppkey, sum(l_quantity) as shipped from lineitem where l_shipdate >= '1994-01-01' and l_shipdate < '1995-01-01' group by l_partkey, l_suppkey) as s on l_partkey = ps_partkey and l_suppkey = ps_suppkey`;
/** Query 21: lines that alone kept an order from several suppliers waiting. */
const waitingLines = `select l1.l_orderkey, l1.l_linenumber, s_name, n_name from lineitem l1 join supplier on s_suppkey = l1.l_suppkey join nation on n_nationkey = s_nationkey where l1.l_receiptdate > l1.l_commitdate and exists (select 1 from lineitem l2 where l2.l_orderkey = l1.l_orderkey and l2.l_suppkey <> l1.l_suppkey) and not exists (select 1 from lineitem l3 where l3.l_orderkey = l1.l_orderkey and l3.l_suppkey <> l1.l_suppkey and l3.l_receiptdate > l3.l_commitdate)`;
/** Query 22: customers without orders whose balance is above the mean of all positive balances. */
const idleCustomers = `select c_custkey, c_nationkey, c_acctbal from customer where c_acctbal > (select avg(c_acctbal) from customer where c_acctbal > 0) and not exists (select 1 from orders where o_custkey = c_custkey)`;

export const tpchStatementModels: readonly object[] = [
  {
    name: "customer_orders",
    sql: customerOrders,
    primary_key: ["c_custkey"],
    dimensions: [{ name: "orders" }],
    measures: [{ name: "customers", agg: "count" }],
  },
  {
    name: "lines_of_parts",
    sql: linesOfParts,
    primary_key: ["l_orderkey", "l_linenumber"],
    dimensions: ["p_brand", "p_container", "l_quantity", "mean_quantity"].map((name) => ({ name })),
    measures: [{ name: "yearly", expr: "sum(l_extendedprice) / 7" }],
  },
  {
    name: "part_supply",
    sql: partSupply,
    primary_key: ["ps_partkey", "ps_suppkey"],
    dimensions: ["ps_availqty", "shipped", "p_name", "s_name", "n_name"].map((name) => ({ name })),
    measures: [{ name: "parts", agg: "count" }],
  },
  {
    name: "waiting_lines",
    sql: waitingLines,
    primary_key: ["l_orderkey", "l_linenumber"],
    dimensions: [{ name: "s_name" }, { name: "n_name" }],
    measures: [{ name: "count", agg: "count" }],
  },
  {
    name: "idle_customers",
    sql: idleCustomers,
    primary_key: ["c_custkey"],
    dimensions: [{ name: "c_nationkey" }],
    measures: [
      { name: "count", agg: "count" },
      { name: "balance", agg: "sum", expr: "c_acctbal" },
    ],
  },
];

export const tpchStatementColumns: Readonly<Record<string, Readonly<Record<string, TypedExpression>>>> = {
  customer_orders: { c_custkey: integer, orders: integer },
  lines_of_parts: {
    l_orderkey: integer,
    l_linenumber: integer,
    l_extendedprice: decimal,
    l_quantity: decimal,
    p_brand: text,
    p_container: text,
    mean_quantity: { type: "double" },
  },
  part_supply: {
    ps_partkey: integer,
    ps_suppkey: integer,
    ps_availqty: integer,
    shipped: decimal,
    p_name: text,
    s_name: text,
    n_name: text,
  },
  waiting_lines: { l_orderkey: integer, l_linenumber: integer, s_name: text, n_name: text },
  idle_customers: { c_custkey: integer, c_nationkey: integer, c_acctbal: decimal },
};

/** The queries over these models. Their references are the specification's statements, restricted to the columns that the tables have. */
export const tpchStatementQueries: readonly TpchQuery[] = [
  {
    number: 13,
    query: { measures: ["customer_orders.customers"], dimensions: ["customer_orders.orders"] },
    reference: `select c_count, count(*) as custdist from (select c_custkey, count(o_orderkey) as c_count from customer left outer join orders on c_custkey = o_custkey group by c_custkey) as c_orders group by c_count order by custdist desc, c_count desc`,
  },
  {
    number: 17,
    query: {
      measures: ["lines_of_parts.yearly"],
      filters: [
        "lines_of_parts.p_brand = 'Brand#23'",
        "lines_of_parts.p_container = 'MED BOX'",
        "lines_of_parts.l_quantity < 0.2 * lines_of_parts.mean_quantity",
      ],
    },
    reference: `select {double:sum(l_extendedprice)} / 7 from lineitem, part where p_partkey = l_partkey and p_brand = 'Brand#23' and p_container = 'MED BOX' and l_quantity < (select 0.2 * avg(l_quantity) from lineitem where l_partkey = p_partkey)`,
  },
  {
    number: 20,
    query: {
      measures: ["part_supply.parts"],
      dimensions: ["part_supply.s_name"],
      filters: [
        "part_supply.n_name = 'CANADA'",
        "part_supply.p_name LIKE 'forest%'",
        "part_supply.ps_availqty > 0.5 * part_supply.shipped",
      ],
    },
    reference: `select s_name, count(*) from supplier, nation, partsupp where s_nationkey = n_nationkey and n_name = 'CANADA' and ps_suppkey = s_suppkey and ps_partkey in (select p_partkey from part where p_name like 'forest%') and ps_availqty > (select 0.5 * sum(l_quantity) from lineitem where l_partkey = ps_partkey and l_suppkey = ps_suppkey and l_shipdate >= '1994-01-01' and l_shipdate < '1995-01-01') group by s_name`,
  },
  {
    number: 21,
    query: {
      measures: ["waiting_lines.count"],
      dimensions: ["waiting_lines.s_name"],
      filters: ["waiting_lines.n_name = 'SAUDI ARABIA'"],
      orderBy: [{ field: "waiting_lines.count", descending: true }],
    },
    reference: `select s_name, count(*) as numwait from supplier, lineitem l1, nation where s_suppkey = l1.l_suppkey and l1.l_receiptdate > l1.l_commitdate and exists (select * from lineitem l2 where l2.l_orderkey = l1.l_orderkey and l2.l_suppkey <> l1.l_suppkey) and not exists (select * from lineitem l3 where l3.l_orderkey = l1.l_orderkey and l3.l_suppkey <> l1.l_suppkey and l3.l_receiptdate > l3.l_commitdate) and s_nationkey = n_nationkey and n_name = 'SAUDI ARABIA' group by s_name order by numwait desc, s_name`,
  },
  {
    number: 22,
    query: {
      measures: ["idle_customers.count", "idle_customers.balance"],
      dimensions: ["idle_customers.c_nationkey"],
      filters: ["idle_customers.c_nationkey IN (3, 21, 13, 19, 20, 8, 7)"],
    },
    reference: `select c_nationkey, count(*), sum(c_acctbal) from customer where c_nationkey in (3, 21, 13, 19, 20, 8, 7) and c_acctbal > (select avg(c_acctbal) from customer where c_acctbal > 0) and not exists (select * from orders where o_custkey = c_custkey) group by c_nationkey`,
  },
];
