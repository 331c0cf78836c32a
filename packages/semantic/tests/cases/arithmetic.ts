import type { MetricCase } from "./case.ts";

export const ratioCases: readonly MetricCase[] = [
  {
    title: "a ratio of counts is no integer division",
    query: { measures: ["orders.paid_share"] },
    reference: `select 5::double / 10`,
    naive: `select count(*) filter (where status = 'paid') // count(*) from orders`,
  },
  {
    title: "a ratio divides sums, and is no average of ratios",
    query: { measures: ["orders.fee_rate"], dimensions: ["customers.vip"] },
    reference: `select vip, sum(fee)::double / nullif(sum(amount), 0)::double from orders o left join customers c on c.id = o.customer_id group by 1`,
    naive: `select vip, avg(fee::double / amount::double) from orders o left join customers c on c.id = o.customer_id group by 1`,
  },
  {
    title: "a ratio by zero is null",
    query: { measures: ["orders.per_missing"], dimensions: ["orders.status"] },
    reference: `select status, sum(amount)::double / nullif(count(*) - count(amount), 0) from orders group by 1`,
    naive: `select status, coalesce(sum(amount)::double / nullif(count(*) - count(amount), 0), 0) from orders group by 1`,
  },
  {
    title: "a ratio whose numerator is missing is null, and one of counts is 0",
    query: { measures: ["orders.minutes_per_order", "orders.paid_share"], dimensions: ["customers.name"] },
    reference: `select name, sum(m)::double / nullif(sum(n), 0), sum(p)::double / nullif(sum(n), 0) from (select c.name, null m, 1 n, case when status = 'paid' then 1 else 0 end p from orders o left join customers c on c.id = o.customer_id union all select c.name, t.minutes, 0, 0 from tickets t left join customers c on c.id = t.customer_id) group by 1`,
    naive: `select c.name, sum(t.minutes)::double / count(o.id), count(*) filter (where status = 'paid')::double / count(*) from orders o left join customers c on c.id = o.customer_id left join tickets t on t.customer_id = c.id group by 1`,
  },
  {
    title: "a filter of the query holds for both parts of a ratio",
    query: { measures: ["orders.paid_share"], filters: ["customers.vip"] },
    reference: `select count(*) filter (where status = 'paid')::double / count(*) from orders o join customers c on c.id = o.customer_id where vip`,
    naive: `select count(*) filter (where status = 'paid' and vip)::double / count(*) from orders o left join customers c on c.id = o.customer_id`,
  },
  {
    title: "the ratio of no rows is null",
    query: { measures: ["orders.paid_share", "orders.fee_rate"], filters: ["orders.status = 'none'"] },
    reference: `select null, null`,
    naive: `select 0, 0`,
  },
  {
    title: "a derived metric subtracts sums, not rows",
    query: { measures: ["orders.profit", "orders.net"], dimensions: ["customers.name"] },
    reference: `select c.name, sum(amount) - sum(fee), sum(amount - coalesce(fee, 0)) from orders o left join customers c on c.id = o.customer_id group by 1`,
    naive: `select c.name, sum(amount - fee), sum(amount - fee) from orders o left join customers c on c.id = o.customer_id group by 1`,
  },
];

export const exactNumberCases: readonly MetricCase[] = [
  {
    title: "a sum of integers over 2^53 keeps its last digit",
    query: { measures: ["orders.big"] },
    reference: `select sum(big) from orders`,
    naive: `select sum(big::double)::bigint from orders`,
  },
  {
    title: "an integer over 2^53 is compared by all its digits",
    query: { measures: ["orders.count"], filters: [{ field: "orders.big", op: "=", value: "9007199254740993" }] },
    reference: `select count(*) from orders where big = 9007199254740993`,
    naive: `select count(*) from orders where big = 9007199254740993::double::bigint`,
  },
  {
    title: "the greatest integer over 2^53 keeps its last digit",
    query: { measures: ["orders.greatest"], dimensions: ["orders.status"] },
    reference: `select status, max(big) from orders group by 1`,
    naive: `select status, max(big::double)::bigint from orders group by 1`,
  },
  {
    title: "cents add up without a rest",
    query: { measures: ["orders.revenue", "orders.fees"], dimensions: ["customers.vip"] },
    reference: `select vip, sum(amount), sum(fee) from orders o left join customers c on c.id = o.customer_id group by 1`,
    naive: `select vip, sum(amount::float)::double, sum(fee::float)::double from orders o left join customers c on c.id = o.customer_id group by 1`,
  },
  {
    title: "a product of decimals has the digits of both",
    query: { measures: ["sales.valued", "order_items.squared"] },
    reference: `select (select sum(units * rate) from sales s left join rates r on r.product_id = s.product_id and sold_on >= valid_from and sold_on < valid_to), (select sum(price::decimal(30, 2) * price::decimal(30, 2)) from order_items)`,
    naive: `select (select sum(units * rate) from sales s left join rates r on r.product_id = s.product_id and sold_on >= valid_from and sold_on < valid_to), (select sum((price * price)::decimal(30, 2)) from order_items)`,
  },
  {
    title: "a difference of decimals is exact",
    query: { measures: ["orders.profit"], dimensions: ["orders.status"] },
    reference: `select status, sum(amount) - sum(fee) from orders group by 1`,
    naive: `select status, sum(amount::float)::double - sum(fee::float)::double from orders group by 1`,
  },
  {
    title: "a number that is not exact is refused as a bound",
    query: { measures: ["orders.count"], filters: [{ field: "orders.big", op: "=", value: 2 ** 53 + 2 }] },
    refused: "invalid_value",
  },
  {
    title: "a decimal is found by its digits",
    query: { measures: ["orders.count"], filters: [{ field: "orders.price", op: "in", value: [0.1, "0.20"] }] },
    reference: `select count(*) from orders where amount in (0.10, 0.20)`,
    naive: `select count(*) from orders where amount::float::double in (0.1::double, 0.2::double)`,
  },
  {
    title: "groups of a difference of decimals are exact",
    query: { measures: ["orders.count"], dimensions: ["orders.margin"], filters: ["orders.margin > -0.3"] },
    reference: `select amount - fee, count(*) from orders where amount - fee > -0.3 group by 1`,
    naive: `select amount::float::double - fee::float::double, count(*) from orders where amount - fee is not null group by 1`,
  },
  {
    title: "a difference of decimals is found by its digits",
    query: {
      measures: ["orders.count"],
      filters: [{ field: "orders.margin", op: "in", value: ["-0.2", 20.2, "30.2", "98.6", "68.7", "45.8"] }],
    },
    reference: `select count(*) from orders where amount - fee in (-0.2, 20.2, 30.2, 98.6, 68.7, 45.8)`,
    naive: `select count(*) from orders where amount::double - fee::double in (-0.2::double, 20.2::double, 30.2::double, 98.6::double, 68.7::double, 45.8::double)`,
  },
];
