import type { MetricCase } from "./case.ts";

const month = { field: "order_totals.ordered", grain: "month", as: "month" } as const;
const months = `(select unnest(generate_series(date '2024-01-01', date '2024-06-01', interval 1 month))::date m)`;
const within = `date_trunc('month', ordered_at) <= m and date_trunc('month', ordered_at) > m - interval 2 month`;
const sizes = `(select o.id, o.customer_id, o.status, sum(i.quantity) units from orders o join order_items i on i.order_id = o.id group by all)`;

export const ownAggregateCases: readonly MetricCase[] = [
  {
    title: "a measure that aggregates itself divides what was aggregated",
    query: { measures: ["order_totals.per_fee"], dimensions: ["customers.name"] },
    reference: `select c.name, sum(amount)::double / nullif(count(fee), 0) from orders o left join customers c on c.id = o.customer_id group by 1`,
    naive: `select c.name, avg(amount::double) from orders o left join customers c on c.id = o.customer_id group by 1`,
  },
  {
    title: "filters of a measure that aggregates itself hold for each of its aggregates",
    query: { measures: ["order_totals.paid_per_buyer"] },
    reference: `select sum(amount)::double / count(distinct customer_id) from orders where status = 'paid'`,
    naive: `select sum(amount) filter (status = 'paid')::double / count(distinct customer_id) from orders`,
  },
  {
    title: "a measure that aggregates itself names other measures",
    query: { measures: ["order_totals.left_over"], dimensions: ["order_totals.status"] },
    reference: `select status, sum(amount) - sum(fee) from orders group by 1`,
    naive: `select status, sum(amount - fee) from orders group by 1`,
  },
];

export const windowCases: readonly MetricCase[] = [
  {
    title: "a measure with a window holds months without rows",
    query: { measures: ["order_totals.of_two_months"], dimensions: [month] },
    reference: `select m, (select sum(amount) from orders where ${within}) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, sum(sum(amount)) over (order by date_trunc('month', ordered_at) rows 1 preceding) from orders where ordered_at is not null group by date_trunc('month', ordered_at)`,
  },
  {
    title: "a distinct count with a window counts each buyer once",
    query: { measures: ["order_totals.buyers_of_two_months"], dimensions: [month] },
    reference: `select m, (select count(distinct customer_id) from orders where ${within}) from ${months}`,
    naive: `select m, (select sum(n) from (select count(distinct customer_id) n from orders where ${within} group by date_trunc('month', ordered_at))) from ${months}`,
  },
  {
    title: "a ratio with a window divides the sums of the window",
    query: { measures: ["order_totals.rate"], dimensions: [month] },
    reference: `select m, (select sum(fee)::double / sum(amount) from orders where ${within}) from ${months}`,
    naive: `select m, (select avg(r) from (select sum(fee)::double / sum(amount) r from orders where ${within} group by date_trunc('month', ordered_at))) from ${months}`,
  },
  {
    title: "a measure that aggregates itself has a window too",
    query: { measures: ["order_totals.per_buyer"], dimensions: [month] },
    reference: `select m, (select sum(amount)::double / nullif(count(distinct customer_id), 0) from orders where ${within}) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, sum(amount)::double / count(distinct customer_id) from orders where ordered_at is not null group by 1`,
  },
  {
    title: "the window of a month ends with the month before",
    query: { measures: ["order_totals.before"], dimensions: [month], filters: ["order_totals.ordered < '2024-07-01'"] },
    reference: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) < m and date_trunc('month', ordered_at) >= m - interval 2 month) from ${months}`,
    naive: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) = m - interval 1 month) from ${months}`,
  },
  {
    title: "a total of windows is refused",
    query: { measures: ["order_totals.twice"], dimensions: [month] },
    refused: "unsupported",
  },
  {
    title: "a measure with a window needs a time",
    query: { measures: ["order_totals.of_two_months"], dimensions: ["order_totals.status"] },
    refused: "invalid_query",
  },
];

export const statementCases: readonly MetricCase[] = [
  {
    title: "the average of a sum for each order is that of a model over a statement",
    query: { measures: ["order_sizes.average_units"], dimensions: ["customers.name"] },
    reference: `select c.name, avg(units) from ${sizes} s left join customers c on c.id = s.customer_id group by 1`,
    naive: `select c.name, avg(i.quantity) from order_items i join orders o on o.id = i.order_id left join customers c on c.id = o.customer_id group by 1`,
  },
  {
    title: "filters on columns of a statement hold for its rows",
    query: { measures: ["order_sizes.count"], dimensions: ["order_sizes.status"], filters: ["order_sizes.units >= 3"] },
    reference: `select status, count(*) from ${sizes} where units >= 3 group by 1`,
    naive: `select o.status, count(*) from orders o join order_items i on i.order_id = o.id where i.quantity >= 3 group by 1`,
  },
  {
    title: "a filter on rows of a statement across a to-many join means that there is one",
    query: { measures: ["customers.count"], dimensions: ["customers.vip"], filters: ["order_sizes.units >= 2"] },
    reference: `select vip, count(*) from customers c where exists (select 1 from ${sizes} s where s.customer_id = c.id and units >= 2) group by 1`,
    naive: `select vip, count(*) from customers c join ${sizes} s on s.customer_id = c.id and units >= 1 group by 1`,
  },
  {
    title: "a statement and a table meet on the groups that any of them has",
    query: { measures: ["order_sizes.largest", "tickets.count"], dimensions: ["customers.name"] },
    reference: `select name, max(u), sum(n) from (select c.name, s.units u, 0 n from ${sizes} s left join customers c on c.id = s.customer_id union all select c.name, null, 1 from tickets t left join customers c on c.id = t.customer_id) group by 1`,
    naive: `select c.name, max(s.units), count(t.id) from ${sizes} s left join customers c on c.id = s.customer_id left join tickets t on t.customer_id = c.id group by 1`,
  },
];
