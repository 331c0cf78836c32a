import type { MetricCase } from "./case.ts";

export const joinCases: readonly MetricCase[] = [
  {
    title: "revenue by the country that is shipped to, not billed",
    query: { measures: ["orders.revenue"], dimensions: ["orders.ship.country"] },
    reference: `select a.country, sum(amount) from orders o left join addresses a on a.id = o.ship_id group by 1`,
    naive: `select a.country, sum(amount) from orders o left join addresses a on a.id = o.bill_id group by 1`,
  },
  {
    title: "two ways to an address are refused",
    query: { measures: ["orders.revenue"], dimensions: ["addresses.country"] },
    refused: "ambiguous_path",
  },
  {
    title: "customers by the name of who referred them",
    query: { measures: ["customers.count"], dimensions: ["customers.referrer.name"] },
    reference: `select r.name, count(*) from customers c left join customers r on r.id = c.referrer_id group by 1`,
    naive: `select r.name, count(*) from customers c join customers r on r.id = c.referrer_id group by 1`,
  },
  {
    title: "a composite join keeps both of its conditions",
    query: { measures: ["sales.units"], dimensions: ["sales.targets.owner"] },
    reference: `select t.owner, sum(units) from sales s left join targets t on t.region = s.region and t.channel = s.channel group by 1`,
    naive: `select t.owner, sum(units) from sales s left join targets t on t.region = s.region group by 1`,
  },
  {
    title: "a rate is that of the day of the sale",
    query: { measures: ["sales.valued"] },
    reference: `select sum(units * rate) from sales s left join rates r on r.product_id = s.product_id and sold_on >= valid_from and sold_on < valid_to`,
    naive: `select sum(units * rate) from sales s left join rates r on r.product_id = s.product_id`,
  },
  {
    title: "a filter behind a to-many join keeps each order once",
    query: { measures: ["orders.revenue"], filters: ["products.category = 'office'"] },
    reference: `select sum(amount) from orders o where exists (select 1 from order_items i join products p on p.id = i.product_id where i.order_id = o.id and p.category = 'office')`,
    naive: `select sum(amount) from orders o join order_items i on i.order_id = o.id join products p on p.id = i.product_id where p.category = 'office'`,
  },
];

export const valueCases: readonly MetricCase[] = [
  {
    title: "a status in other capitals is another group",
    query: { measures: ["orders.count"], dimensions: ["orders.status"] },
    reference: `select status, count(*) from orders group by 1`,
    naive: `select lower(status), count(*) from orders group by 1`,
  },
  {
    title: "big integers are exact",
    query: { measures: ["orders.big"] },
    reference: `select sum(big) from orders`,
    naive: `select sum(big::double)::bigint from orders`,
  },
  {
    title: "decimals are exact after arithmetic",
    query: { measures: ["orders.profit", "orders.net"] },
    reference: `select sum(amount) - sum(fee), sum(amount - coalesce(fee, 0)) from orders`,
    naive: `select sum(amount - fee), sum(amount - fee) from orders`,
  },
  {
    title: "the median of an even number of values is between the two in the middle",
    query: { measures: ["orders.middle"], dimensions: ["orders.size"] },
    reference: `select case when amount >= 50 then 'large' when amount is not null then 'small' end, median(amount::double) from orders group by 1`,
    naive: `select case when amount >= 50 then 'large' when amount is not null then 'small' end, quantile_disc(amount::double, 0.5) from orders group by 1`,
  },
  {
    title: "a date as upper bound means the whole day",
    query: { measures: ["orders.count"], filters: [{ field: "orders.ordered", op: "<=", value: "2024-01-31" }] },
    reference: `select count(*) from orders where ordered_at < '2024-02-01'`,
    naive: `select count(*) from orders where ordered_at <= '2024-01-31'`,
  },
  {
    title: "days of Berlin begin where its clock says, also after summer time began",
    query: {
      measures: ["signals.value"],
      dimensions: [{ field: "signals.at", grain: "day" }],
      timezone: "Europe/Berlin",
    },
    reference: `select ((happened at time zone 'UTC') at time zone 'Europe/Berlin')::date, sum(value) from signals group by 1`,
    naive: `select (happened + interval 1 hour)::date, sum(value) from signals group by 1`,
  },
  {
    title: "a filter with a subquery is refused",
    query: { measures: ["orders.count"], filters: ["status in (select name from secrets.users)"] },
    refused: "invalid_expression",
  },
  {
    title: "a filter with a comment is refused",
    query: { measures: ["orders.count"], filters: ["orders.status = 'x' -- y"] },
    refused: "invalid_expression",
  },
];
