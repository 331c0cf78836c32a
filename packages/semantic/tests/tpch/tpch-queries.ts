/** The TPC-H queries that a metric query can express, each with a handwritten statement. */
import type { MetricQuery } from "../../src/query/query-schema.ts";

export interface TpchQuery {
  readonly number: number;
  readonly query: MetricQuery;
  /** The statement for DuckDB, PostgreSQL and SQLite, with the query's columns in the same order. */
  readonly reference: string;
}

const price = "l_extendedprice * (1 - l_discount)";
const descending = (field: string) => ({ field, descending: true });

export const tpchQueries: readonly TpchQuery[] = [
  {
    number: 1,
    query: {
      measures: [
        "lineitem.quantity",
        "lineitem.base_price",
        "lineitem.revenue",
        "lineitem.charge",
        "lineitem.mean_quantity",
        "lineitem.mean_price",
        "lineitem.mean_discount",
        "lineitem.lines",
      ],
      dimensions: ["lineitem.l_returnflag", "lineitem.l_linestatus"],
      filters: ["lineitem.l_shipdate <= '1998-09-02'"],
    },
    reference: `select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(${price}), sum(${price} * (1 + l_tax)), avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*) from lineitem where l_shipdate <= '1998-09-02' group by l_returnflag, l_linestatus order by l_returnflag, l_linestatus`,
  },
  {
    number: 2,
    query: {
      measures: ["partsupp.cost"],
      dimensions: ["partsupp.ps_partkey", "partsupp.supplier.s_name", "partsupp.supplier.nation.n_name"],
      filters: [
        "partsupp.part.p_size = 15",
        "partsupp.part.p_type LIKE '%BRASS'",
        "partsupp.supplier.nation.region.r_name = 'EUROPE'",
      ],
      orderBy: ["partsupp.cost"],
      limit: 1,
      limitPer: ["partsupp.ps_partkey"],
    },
    reference: `select ps_partkey, s_name, n_name, ps_supplycost from part, supplier, partsupp, nation, region where p_partkey = ps_partkey and s_suppkey = ps_suppkey and p_size = 15 and p_type like '%BRASS' and s_nationkey = n_nationkey and n_regionkey = r_regionkey and r_name = 'EUROPE' and ps_supplycost = (select min(ps_supplycost) from partsupp, supplier, nation, region where p_partkey = ps_partkey and s_suppkey = ps_suppkey and s_nationkey = n_nationkey and n_regionkey = r_regionkey and r_name = 'EUROPE')`,
  },
  {
    number: 3,
    query: {
      measures: ["lineitem.revenue"],
      dimensions: ["lineitem.orders.o_orderkey", "lineitem.orders.o_orderdate", "lineitem.orders.o_shippriority"],
      filters: [
        "lineitem.orders.customer.c_mktsegment = 'BUILDING'",
        "lineitem.orders.o_orderdate < '1995-03-15'",
        "lineitem.l_shipdate > '1995-03-15'",
      ],
      orderBy: [descending("lineitem.revenue"), "lineitem.orders.o_orderdate"],
      limit: 10,
    },
    reference: `select o_orderkey, o_orderdate, o_shippriority, sum(${price}) as revenue from customer, orders, lineitem where c_mktsegment = 'BUILDING' and c_custkey = o_custkey and l_orderkey = o_orderkey and o_orderdate < '1995-03-15' and l_shipdate > '1995-03-15' group by o_orderkey, o_orderdate, o_shippriority order by revenue desc, o_orderdate, o_orderkey limit 10`,
  },
  {
    number: 4,
    query: {
      measures: ["orders.count"],
      dimensions: ["orders.o_orderpriority"],
      filters: [
        "orders.o_orderdate >= '1993-07-01'",
        "orders.o_orderdate < '1993-10-01'",
        "lineitem.l_commitdate < lineitem.l_receiptdate",
      ],
    },
    reference: `select o_orderpriority, count(*) from orders where o_orderdate >= '1993-07-01' and o_orderdate < '1993-10-01' and exists (select * from lineitem where l_orderkey = o_orderkey and l_commitdate < l_receiptdate) group by o_orderpriority order by o_orderpriority`,
  },
  {
    number: 5,
    query: {
      measures: ["lineitem.revenue"],
      dimensions: ["lineitem.supplier.nation.n_name"],
      filters: [
        "lineitem.orders.customer.c_nationkey = lineitem.supplier.s_nationkey",
        "lineitem.supplier.nation.region.r_name = 'ASIA'",
        "lineitem.orders.o_orderdate >= '1994-01-01'",
        "lineitem.orders.o_orderdate < '1995-01-01'",
      ],
      orderBy: [descending("lineitem.revenue")],
    },
    reference: `select n_name, sum(${price}) as revenue from customer, orders, lineitem, supplier, nation, region where c_custkey = o_custkey and l_orderkey = o_orderkey and l_suppkey = s_suppkey and c_nationkey = s_nationkey and s_nationkey = n_nationkey and n_regionkey = r_regionkey and r_name = 'ASIA' and o_orderdate >= '1994-01-01' and o_orderdate < '1995-01-01' group by n_name order by revenue desc`,
  },
  {
    number: 6,
    query: {
      measures: ["lineitem.forgone"],
      filters: [
        "lineitem.l_shipdate >= '1994-01-01'",
        "lineitem.l_shipdate < '1995-01-01'",
        "lineitem.l_discount BETWEEN 0.05 AND 0.07",
        "lineitem.l_quantity < 24",
      ],
    },
    reference: `select sum(l_extendedprice * l_discount) from lineitem where l_shipdate >= '1994-01-01' and l_shipdate < '1995-01-01' and l_discount between 0.05 and 0.07 and l_quantity < 24`,
  },
  {
    number: 7,
    query: {
      measures: ["lineitem.revenue"],
      dimensions: [
        { field: "lineitem.supplier.nation.n_name", as: "from_nation" },
        { field: "lineitem.orders.customer.nation.n_name", as: "to_nation" },
        { field: "lineitem.l_shipdate", grain: "year" },
      ],
      filters: [
        {
          or: [
            "lineitem.supplier.nation.n_name = 'FRANCE' AND lineitem.orders.customer.nation.n_name = 'GERMANY'",
            "lineitem.supplier.nation.n_name = 'GERMANY' AND lineitem.orders.customer.nation.n_name = 'FRANCE'",
          ],
        },
        "lineitem.l_shipdate >= '1995-01-01'",
        "lineitem.l_shipdate <= '1996-12-31'",
      ],
    },
    reference: `select supp_nation, cust_nation, l_year, sum(volume) from (select n1.n_name as supp_nation, n2.n_name as cust_nation, {year:l_shipdate} as l_year, ${price} as volume from supplier, lineitem, orders, customer, nation n1, nation n2 where s_suppkey = l_suppkey and o_orderkey = l_orderkey and c_custkey = o_custkey and s_nationkey = n1.n_nationkey and c_nationkey = n2.n_nationkey and ((n1.n_name = 'FRANCE' and n2.n_name = 'GERMANY') or (n1.n_name = 'GERMANY' and n2.n_name = 'FRANCE')) and l_shipdate between '1995-01-01' and '1996-12-31') as shipping group by supp_nation, cust_nation, l_year order by supp_nation, cust_nation, l_year`,
  },
  {
    number: 8,
    query: {
      measures: ["lineitem.brazilian_share"],
      dimensions: [{ field: "lineitem.orders.o_orderdate", grain: "year" }],
      filters: [
        "lineitem.orders.customer.nation.region.r_name = 'AMERICA'",
        "lineitem.orders.o_orderdate >= '1995-01-01'",
        "lineitem.orders.o_orderdate <= '1996-12-31'",
        "lineitem.part.p_type = 'ECONOMY ANODIZED STEEL'",
      ],
    },
    reference: `select o_year, {double:sum(case when nation = 'BRAZIL' then volume else 0 end)} / sum(volume) from (select {year:o_orderdate} as o_year, ${price} as volume, n2.n_name as nation from part, supplier, lineitem, orders, customer, nation n1, nation n2, region where p_partkey = l_partkey and s_suppkey = l_suppkey and l_orderkey = o_orderkey and o_custkey = c_custkey and c_nationkey = n1.n_nationkey and n1.n_regionkey = r_regionkey and r_name = 'AMERICA' and s_nationkey = n2.n_nationkey and o_orderdate between '1995-01-01' and '1996-12-31' and p_type = 'ECONOMY ANODIZED STEEL') as all_nations group by o_year order by o_year`,
  },
  {
    number: 9,
    query: {
      measures: ["lineitem.profit"],
      dimensions: [
        "lineitem.supplier.nation.n_name",
        { field: "lineitem.orders.o_orderdate", as: "year", grain: "year" },
      ],
      filters: [{ field: "lineitem.part.p_name", op: "contains", value: "green" }],
      orderBy: ["lineitem.supplier.nation.n_name", descending("year")],
    },
    reference: `select nation, o_year, sum(amount) from (select n_name as nation, {year:o_orderdate} as o_year, ${price} - ps_supplycost * l_quantity as amount from part, supplier, lineitem, partsupp, orders, nation where s_suppkey = l_suppkey and ps_suppkey = l_suppkey and ps_partkey = l_partkey and p_partkey = l_partkey and o_orderkey = l_orderkey and s_nationkey = n_nationkey and p_name like '%green%') as profit group by nation, o_year order by nation, o_year desc`,
  },
  {
    number: 10,
    query: {
      measures: ["lineitem.revenue"],
      dimensions: [
        "lineitem.orders.customer.c_custkey",
        "lineitem.orders.customer.c_name",
        "lineitem.orders.customer.c_acctbal",
        "lineitem.orders.customer.nation.n_name",
      ],
      filters: [
        "lineitem.orders.o_orderdate >= '1993-10-01'",
        "lineitem.orders.o_orderdate < '1994-01-01'",
        "lineitem.l_returnflag = 'R'",
      ],
      orderBy: [descending("lineitem.revenue")],
      limit: 20,
    },
    reference: `select c_custkey, c_name, c_acctbal, n_name, sum(${price}) as revenue from customer, orders, lineitem, nation where c_custkey = o_custkey and l_orderkey = o_orderkey and o_orderdate >= '1993-10-01' and o_orderdate < '1994-01-01' and l_returnflag = 'R' and c_nationkey = n_nationkey group by c_custkey, c_name, c_acctbal, n_name order by revenue desc, c_custkey limit 20`,
  },
  {
    number: 11,
    query: {
      measures: ["partsupp.value"],
      dimensions: ["partsupp.ps_partkey"],
      filters: ["partsupp.supplier.nation.n_name = 'GERMANY'"],
      having: ["partsupp.value_share > 0.01"],
      orderBy: [descending("partsupp.value")],
    },
    reference: `select ps_partkey, sum(ps_supplycost * ps_availqty) as value from partsupp, supplier, nation where ps_suppkey = s_suppkey and s_nationkey = n_nationkey and n_name = 'GERMANY' group by ps_partkey having sum(ps_supplycost * ps_availqty) > (select sum(ps_supplycost * ps_availqty) * 0.01 from partsupp, supplier, nation where ps_suppkey = s_suppkey and s_nationkey = n_nationkey and n_name = 'GERMANY') order by value desc`,
  },
  {
    number: 12,
    query: {
      measures: ["lineitem.urgent", "lineitem.calm"],
      dimensions: ["lineitem.l_shipmode"],
      filters: [
        "lineitem.l_shipmode IN ('MAIL', 'SHIP')",
        "lineitem.l_commitdate < lineitem.l_receiptdate",
        "lineitem.l_shipdate < lineitem.l_commitdate",
        "lineitem.l_receiptdate >= '1994-01-01'",
        "lineitem.l_receiptdate < '1995-01-01'",
      ],
    },
    reference: `select l_shipmode, sum(case when o_orderpriority = '1-URGENT' or o_orderpriority = '2-HIGH' then 1 else 0 end), sum(case when o_orderpriority <> '1-URGENT' and o_orderpriority <> '2-HIGH' then 1 else 0 end) from orders, lineitem where o_orderkey = l_orderkey and l_shipmode in ('MAIL', 'SHIP') and l_commitdate < l_receiptdate and l_shipdate < l_commitdate and l_receiptdate >= '1994-01-01' and l_receiptdate < '1995-01-01' group by l_shipmode order by l_shipmode`,
  },
  {
    number: 14,
    query: {
      measures: ["lineitem.promoted_percent"],
      filters: ["lineitem.l_shipdate >= '1995-09-01'", "lineitem.l_shipdate < '1995-10-01'"],
    },
    reference: `select {double:100 * sum(case when p_type like 'PROMO%' then ${price} else 0 end)} / sum(${price}) from lineitem, part where l_partkey = p_partkey and l_shipdate >= '1995-09-01' and l_shipdate < '1995-10-01'`,
  },
  {
    number: 15,
    query: {
      measures: ["lineitem.revenue"],
      dimensions: ["lineitem.l_suppkey", "lineitem.supplier.s_name"],
      filters: ["lineitem.l_shipdate >= '1996-01-01'", "lineitem.l_shipdate < '1996-04-01'"],
      orderBy: [descending("lineitem.revenue")],
      limit: 1,
      ties: "keep",
    },
    reference: `with revenue as (select l_suppkey as supplier_no, sum(${price}) as total from lineitem where l_shipdate >= '1996-01-01' and l_shipdate < '1996-04-01' group by l_suppkey) select s_suppkey, s_name, total from supplier, revenue where s_suppkey = supplier_no and total = (select max(total) from revenue) order by s_suppkey`,
  },
  {
    number: 16,
    query: {
      measures: ["partsupp.suppliers"],
      dimensions: ["partsupp.part.p_brand", "partsupp.part.p_type", "partsupp.part.p_size"],
      filters: [
        "partsupp.part.p_brand <> 'Brand#45'",
        "partsupp.part.p_type NOT LIKE 'MEDIUM POLISHED%'",
        "partsupp.part.p_size IN (49, 14, 23, 45, 19, 3, 36, 9)",
        "partsupp.supplier.s_comment NOT LIKE '%Customer%Complaints%'",
      ],
      orderBy: [descending("partsupp.suppliers")],
    },
    reference: `select p_brand, p_type, p_size, count(distinct ps_suppkey) as supplier_cnt from partsupp, part where p_partkey = ps_partkey and p_brand <> 'Brand#45' and p_type not like 'MEDIUM POLISHED%' and p_size in (49, 14, 23, 45, 19, 3, 36, 9) and ps_suppkey not in (select s_suppkey from supplier where s_comment like '%Customer%Complaints%') group by p_brand, p_type, p_size order by supplier_cnt desc, p_brand, p_type, p_size`,
  },
  {
    number: 18,
    query: {
      measures: ["lineitem.quantity"],
      dimensions: [
        "lineitem.orders.customer.c_name",
        "lineitem.orders.customer.c_custkey",
        "lineitem.orders.o_orderkey",
        "lineitem.orders.o_orderdate",
        "lineitem.orders.o_totalprice",
      ],
      having: ["lineitem.quantity > 250"],
      orderBy: [descending("lineitem.orders.o_totalprice"), "lineitem.orders.o_orderdate"],
      limit: 100,
    },
    reference: `select c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum(l_quantity) from customer, orders, lineitem where o_orderkey in (select l_orderkey from lineitem group by l_orderkey having sum(l_quantity) > 250) and c_custkey = o_custkey and o_orderkey = l_orderkey group by c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice order by o_totalprice desc, o_orderdate, c_name limit 100`,
  },
  {
    number: 19,
    query: {
      measures: ["lineitem.revenue"],
      filters: [
        {
          or: [
            "lineitem.part.p_brand = 'Brand#12' AND lineitem.part.p_container IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG') AND lineitem.l_quantity BETWEEN 1 AND 31 AND lineitem.part.p_size BETWEEN 1 AND 45",
            "lineitem.part.p_brand = 'Brand#23' AND lineitem.part.p_container IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK') AND lineitem.l_quantity BETWEEN 10 AND 40 AND lineitem.part.p_size BETWEEN 1 AND 50",
            "lineitem.part.p_brand = 'Brand#34' AND lineitem.part.p_container IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG') AND lineitem.l_quantity BETWEEN 10 AND 50 AND lineitem.part.p_size BETWEEN 1 AND 50",
          ],
        },
        "lineitem.l_shipmode IN ('AIR', 'AIR REG')",
        "lineitem.l_shipinstruct = 'DELIVER IN PERSON'",
      ],
    },
    reference: `select sum(${price}) from lineitem, part where p_partkey = l_partkey and l_shipmode in ('AIR', 'AIR REG') and l_shipinstruct = 'DELIVER IN PERSON' and ((p_brand = 'Brand#12' and p_container in ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG') and l_quantity between 1 and 31 and p_size between 1 and 45) or (p_brand = 'Brand#23' and p_container in ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK') and l_quantity between 10 and 40 and p_size between 1 and 50) or (p_brand = 'Brand#34' and p_container in ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG') and l_quantity between 10 and 50 and p_size between 1 and 50))`,
  },
];

/** Returns the statement for an engine. Engines write the first day of a year, and a double, differently. */
export function referenceFor({ reference }: TpchQuery): string {
  return reference
    .replaceAll(/\{year:(\w+)\}/g, (_, column) => `cast(date_trunc('year', ${column}) as date)`)
    .replaceAll(/\{double:((?:[^{}])*)\}/g, (_, value) => `cast(${value} as double precision)`);
}
