import type { MetricCase } from "./case.ts";

const lastOfAccount = `select *, row_number() over (partition by account_id order by day desc) n from balances`;

export const semiAdditiveCases: readonly MetricCase[] = [
  {
    title: "the closing balance is that of each account's last day",
    query: { measures: ["balances.closing"] },
    reference: `select sum(balance) from (${lastOfAccount}) where n = 1`,
    naive: `select sum(balance) from balances where day = (select max(day) from balances)`,
  },
  {
    title: "by month, the closing balance is that of the last day within the month",
    query: { measures: ["balances.closing"], dimensions: [{ field: "balances.day", grain: "month" }] },
    reference: `select m, sum(balance) from (select *, date_trunc('month', day)::date m, row_number() over (partition by account_id, date_trunc('month', day) order by day desc) n from balances) where n = 1 group by 1`,
    naive: `select date_trunc('month', day)::date, sum(balance) from balances group by 1`,
  },
  {
    title: "closing balances by customer add up to the total",
    query: { measures: ["balances.closing"], dimensions: ["customers.name"], totals: true },
    reference: `select c.name, sum(balance) from (${lastOfAccount}) b left join accounts a on a.id = b.account_id left join customers c on c.id = a.customer_id where n = 1 group by 1`,
    naive: `select c.name, last(balance order by day) from balances b left join accounts a on a.id = b.account_id left join customers c on c.id = a.customer_id group by 1`,
    totals: `select sum(balance) from (${lastOfAccount}) where n = 1`,
  },
  {
    title: "the opening balance is that of the first day of each account",
    query: { measures: ["balances.opening", "balances.rows"], dimensions: ["accounts.kind"] },
    reference: `select a.kind, sum(balance) filter (where n = 1), count(*) from (select *, row_number() over (partition by account_id order by day) n from balances) b left join accounts a on a.id = b.account_id group by 1`,
    naive: `select a.kind, min(balance), count(*) from balances b left join accounts a on a.id = b.account_id group by 1`,
  },
  {
    title: "without per, only rows of the last day of the month count",
    query: { measures: ["balances.last_day"], dimensions: [{ field: "balances.day", grain: "month" }] },
    reference: `select date_trunc('month', day)::date, sum(balance) from balances b where day = (select max(day) from balances x where date_trunc('month', x.day) = date_trunc('month', b.day)) group by 1`,
    naive: `select m, sum(balance) from (select *, date_trunc('month', day)::date m, row_number() over (partition by account_id, date_trunc('month', day) order by day desc) n from balances) where n = 1 group by 1`,
  },
  {
    title: "a measure's filter holds before the last row is chosen",
    query: { measures: ["balances.open_closing"] },
    reference: `select sum(balance) from (select *, row_number() over (partition by account_id order by day desc) n from balances where open) where n = 1`,
    naive: `select sum(balance) from (${lastOfAccount}) where n = 1 and open`,
  },
  {
    title: "a query's filter on the time chooses the last row before it",
    query: { measures: ["balances.closing"], filters: ["balances.day <= '2024-02-15'"] },
    reference: `select sum(balance) from (select *, row_number() over (partition by account_id order by day desc) n from balances where day <= '2024-02-15') where n = 1`,
    naive: `select sum(balance) from (${lastOfAccount}) where n = 1 and day <= '2024-02-15'`,
  },
  {
    title: "balances are not added up over months",
    query: { measures: ["balances.running_closing"], dimensions: [{ field: "balances.day", grain: "month" }] },
    refused: "unsupported",
  },
];

export const nonAdditiveCases: readonly MetricCase[] = [
  {
    title: "buyers of the year are not the sum of the months' buyers",
    query: { measures: ["orders.buyers"], dimensions: [{ field: "orders.ordered", grain: "month" }], totals: true },
    reference: `select date_trunc('month', ordered_at)::date, count(distinct customer_id) from orders group by 1`,
    naive: `select date_trunc('month', ordered_at)::date, count(customer_id) from orders group by 1`,
    totals: `select count(distinct customer_id) from orders`,
  },
  {
    title: "the median of a group of two is the mean of both",
    query: { measures: ["orders.middle"], dimensions: ["orders.size", "customers.vip"] },
    reference: `select case when amount >= 50 then 'large' when amount is not null then 'small' end, vip, median(amount::double) from orders o left join customers c on c.id = o.customer_id group by 1, 2`,
    naive: `select case when amount >= 50 then 'large' when amount is not null then 'small' end, vip, quantile_disc(amount::double, 0.5) from orders o left join customers c on c.id = o.customer_id group by 1, 2`,
  },
  {
    title: "the median counts each order once for each product",
    query: { measures: ["orders.middle"], dimensions: ["products.name"] },
    reference: `select name, median(amount::double) from (select distinct o.id, o.amount, p.name from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id) group by 1`,
    naive: `select p.name, median(o.amount::double) from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id group by 1`,
  },
  {
    title: "medians of two facts, with a sum beside them",
    query: {
      measures: ["orders.middle", "tickets.middle", "orders.revenue"],
      dimensions: ["customers.vip"],
      totals: true,
    },
    reference: `select vip, median(a::double), median(m::double), sum(a) from (select vip, amount a, null m from orders o left join customers c on c.id = o.customer_id union all select vip, null, minutes from tickets t left join customers c on c.id = t.customer_id) group by 1`,
    naive: `select vip, median(amount::double), median(minutes::double), sum(amount) from orders o left join customers c on c.id = o.customer_id left join tickets t on t.customer_id = c.id group by 1`,
    totals: `select (select median(amount::double) from orders), (select median(minutes::double) from tickets), (select sum(amount) from orders)`,
  },
];

export const distinctCases: readonly MetricCase[] = [
  {
    title: "buyers by the category of what they bought",
    query: { measures: ["orders.buyers", "orders.count"], dimensions: ["products.category"] },
    reference: `select category, count(distinct customer_id), count(*) from (select distinct o.id, o.customer_id, p.category from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id) group by 1`,
    naive: `select p.category, count(distinct customer_id), count(*) from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id group by 1`,
  },
  {
    title: "names that differ in capitals are two",
    query: { measures: ["customers.named", "orders.statuses"] },
    reference: `select (select count(distinct name) from customers), (select count(distinct status) from orders)`,
    naive: `select (select count(distinct lower(name)) from customers), (select count(distinct lower(status)) from orders)`,
  },
  {
    title: "distinct names over a to-many join",
    query: { measures: ["customers.named", "customers.count"], dimensions: ["orders.status"] },
    reference: `select status, count(distinct name), count(*) from (select distinct c.id, c.name, o.status from customers c left join orders o on o.customer_id = c.id) group by 1`,
    naive: `select status, count(name), count(*) from customers c left join orders o on o.customer_id = c.id group by 1`,
  },
  {
    title: "an average price by customer weighs each item once",
    query: { measures: ["order_items.average_price", "orders.average"], dimensions: ["customers.name"] },
    reference: `select name, avg(p), avg(a) from (select c.name, i.price::double p, null a from order_items i left join orders o on o.id = i.order_id left join customers c on c.id = o.customer_id union all select c.name, null, amount::double from orders o left join customers c on c.id = o.customer_id) group by 1`,
    naive: `select c.name, avg(i.price::double), avg(o.amount::double) from orders o left join order_items i on o.id = i.order_id left join customers c on c.id = o.customer_id group by 1`,
  },
  {
    title: "an average leaves null out of its count",
    query: { measures: ["tickets.average"], dimensions: ["tickets.priority"] },
    reference: `select priority, sum(minutes)::double / count(minutes) from tickets group by 1`,
    naive: `select priority, sum(minutes)::double / count(*) from tickets group by 1`,
  },
  {
    title: "an average over many-to-many tags",
    query: { measures: ["orders.average"], dimensions: ["products.product_tags.tags.label"] },
    reference: `select label, avg(amount::double) from (select distinct o.id, o.amount, t.label from orders o left join order_items i on i.order_id = o.id left join product_tags pt on pt.product_id = i.product_id left join tags t on t.id = pt.tag_id) group by 1`,
    naive: `select t.label, avg(amount::double) from orders o left join order_items i on i.order_id = o.id left join product_tags pt on pt.product_id = i.product_id left join tags t on t.id = pt.tag_id group by 1`,
  },
  {
    title: "tickets by product share only the customer, and are refused",
    query: { measures: ["tickets.average"], dimensions: ["products.name"] },
    refused: "unreachable",
  },
];
