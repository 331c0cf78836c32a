import type { MetricCase } from "./case.ts";

export const countsOfNothingCases: readonly MetricCase[] = [
  {
    title: "orders without a customer are in the null group of a dimension with a value for everything else",
    query: { measures: ["orders.count"], dimensions: ["customers.initial"] },
    reference: `select case when c.id is not null then case when c.name = 'Ada' then 'A' else 'other' end end, count(*) from orders o left join customers c on c.id = o.customer_id group by 1`,
    naive: `select case when c.name = 'Ada' then 'A' else 'other' end, count(*) from orders o left join customers c on c.id = o.customer_id group by 1`,
  },
  {
    title: "a default for a missing name holds for customers, and not for orders without one",
    query: { measures: ["orders.revenue"], dimensions: ["customers.place"] },
    reference: `select case when c.id is not null then coalesce(r.name, 'nowhere') end, sum(amount) from orders o left join customers c on c.id = o.customer_id left join regions r on r.id = c.region_id group by 1`,
    naive: `select coalesce(r.name, 'nowhere'), sum(amount) from orders o left join customers c on c.id = o.customer_id left join regions r on r.id = c.region_id group by 1`,
  },
  {
    title: "a constant that is null for one customer is not the group of orders without one",
    query: { measures: ["orders.count"], dimensions: ["customers.not_ada"] },
    reference: `select case when c.name <> 'Ada' then 'another' end, count(*) from orders o left join customers c on c.id = o.customer_id group by 1`,
    naive: `select nullif('another', case when c.name = 'Ada' then 'another' end), count(*) from orders o left join customers c on c.id = o.customer_id group by 1`,
  },
  {
    title: "a filter for the default of a dimension leaves out orders without a customer",
    query: { measures: ["orders.count"], filters: ["customers.initial = 'other'"] },
    reference: `select count(*) from orders o join customers c on c.id = o.customer_id where c.name <> 'Ada'`,
    naive: `select count(*) from orders o left join customers c on c.id = o.customer_id where case when c.name = 'Ada' then 'A' else 'other' end = 'other'`,
  },
  {
    title: "a filter that leaves no rows gives one row: a count of 0 and a sum of null",
    query: { measures: ["orders.count", "orders.revenue"], filters: ["orders.status = 'none'"] },
    reference: `select 0, null`,
    naive: `select count(*), sum(amount) from orders where status = 'none' group by status`,
  },
  {
    title: "a region without customers has 0 of them",
    query: { measures: ["customers.count"], dimensions: ["regions.name"], includeEmpty: true },
    reference: `select r.name, count(c.id) from regions r full join customers c on c.region_id = r.id group by 1`,
    naive: `select r.name, count(*) from regions r full join customers c on c.region_id = r.id group by 1`,
  },
  {
    title: "an average of no orders is null, and the number of their amounts is 0",
    query: {
      measures: ["orders.average", "orders.with_amount"],
      dimensions: ["customers.name"],
      includeEmpty: true,
    },
    reference: `select c.name, avg(o.amount::double), count(o.amount) from customers c full join orders o on o.customer_id = c.id group by 1`,
    naive: `select c.name, coalesce(avg(o.amount::double), 0), count(*) from customers c full join orders o on o.customer_id = c.id group by 1`,
  },
  {
    title: "a group in which no row passes the measure's filter counts 0",
    query: { measures: ["orders.paid", "orders.paid_revenue"], dimensions: ["customers.name"] },
    reference: `select c.name, count(*) filter (where status = 'paid'), sum(amount) filter (where status = 'paid') from orders o left join customers c on c.id = o.customer_id group by 1`,
    naive: `select c.name, count(*), sum(amount) from orders o left join customers c on c.id = o.customer_id where status = 'paid' group by 1`,
  },
  {
    title: "a distinct count of no rows is 0, and their greatest value null",
    query: {
      measures: ["orders.buyers", "orders.largest", "orders.middle"],
      filters: [{ field: "orders.status", op: "=", value: "none" }],
    },
    reference: `select 0, null, null`,
    naive: `select count(distinct customer_id), coalesce(max(amount), 0), coalesce(median(amount), 0) from orders where status = 'none'`,
  },
  {
    title: "a filter on the joined row drops rows without one, as SQL does",
    query: { measures: ["orders.count"], filters: ["customers.vip = FALSE"] },
    reference: `select count(*) from orders o left join customers c on c.id = o.customer_id where c.vip = false`,
    naive: `select count(*) from orders o left join customers c on c.id = o.customer_id and c.vip = false`,
  },
  {
    title: "rows whose join finds nothing are found by is null",
    query: { measures: ["orders.count", "orders.revenue"], filters: ["customers.name is null"] },
    reference: `select count(*), sum(amount) from orders where customer_id is null or customer_id not in (select id from customers)`,
    naive: `select count(*), sum(amount) from orders where customer_id is null`,
  },
  {
    title: "with empty groups, a filter with a big number on groups and rows is refused",
    query: {
      measures: ["orders.count"],
      dimensions: ["regions.name"],
      filters: [
        {
          or: [
            { field: "orders.big", op: "=", value: 9007199254740993n },
            { field: "regions.name", op: "=", value: "North" },
          ],
        },
      ],
      includeEmpty: true,
    },
    refused: "ambiguous_question",
  },
];
