import type { MetricCase } from "./case.ts";

export const fanOutCases: readonly MetricCase[] = [
  {
    title: "revenue by the category of its products counts each order once for each category",
    query: { measures: ["orders.revenue"], dimensions: ["products.category"] },
    reference: `select category, sum(amount) from (select distinct o.id, o.amount, p.category from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id) group by category`,
    naive: `select p.category, sum(o.amount) from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id group by 1`,
  },
  {
    title: "two measures of different grains are each summed at their own",
    query: { measures: ["orders.revenue", "order_items.units"] },
    reference: `select (select sum(amount) from orders), (select sum(quantity) from order_items)`,
    naive: `select sum(o.amount), sum(i.quantity) from orders o left join order_items i on i.order_id = o.id`,
  },
  {
    title: "an average over a to-many join weighs each order once",
    query: { measures: ["orders.average"], dimensions: ["products.name"] },
    reference: `select name, avg(amount::double) from (select distinct o.id, o.amount, p.name from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id) group by name`,
    naive: `select p.name, avg(o.amount) from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id group by 1`,
  },
  {
    title: "customers are counted once, not once for each order",
    query: { measures: ["customers.count", "orders.count"], dimensions: ["regions.name"] },
    reference: `select name, max(c), coalesce(max(o), 0) from (select r.name, count(*) c, null o from customers c left join regions r on r.id = c.region_id group by 1 union all select r.name, null, count(*) from orders o left join customers c on c.id = o.customer_id left join regions r on r.id = c.region_id group by 1) group by name`,
    naive: `select r.name, count(c.id), count(o.id) from customers c left join regions r on r.id = c.region_id left join orders o on o.customer_id = c.id group by 1`,
  },
  {
    title: "orders and values of items by the status of the order",
    query: { measures: ["orders.count", "order_items.value"], dimensions: ["orders.status"] },
    reference: `select o.status, count(*), sum(v) from orders o left join (select order_id, sum(quantity * price) v from order_items group by 1) i on i.order_id = o.id group by 1`,
    naive: `select o.status, count(*), sum(quantity * price) from orders o left join order_items i on i.order_id = o.id group by 1`,
  },
];

export const chasmCases: readonly MetricCase[] = [
  {
    title: "two facts of one customer do not multiply each other",
    query: { measures: ["orders.revenue", "tickets.minutes"], dimensions: ["customers.name"] },
    reference: `select name, max(a), max(b) from (select c.name, sum(amount) a, null b from orders o left join customers c on c.id = o.customer_id group by 1 union all select c.name, null, sum(minutes) from tickets t left join customers c on c.id = t.customer_id group by 1) group by 1`,
    naive: `select c.name, sum(o.amount), sum(t.minutes) from customers c left join orders o on o.customer_id = c.id left join tickets t on t.customer_id = c.id group by 1`,
  },
  {
    title: "three facts meet on the regions that any of them has",
    query: { measures: ["orders.count", "tickets.count", "accounts.count"], dimensions: ["regions.name"] },
    reference: `select name, sum(a), sum(b), sum(d) from (select r.name, 1 a, 0 b, 0 d from orders o left join customers c on c.id = o.customer_id left join regions r on r.id = c.region_id union all select r.name, 0, 1, 0 from tickets o left join customers c on c.id = o.customer_id left join regions r on r.id = c.region_id union all select r.name, 0, 0, 1 from accounts o left join customers c on c.id = o.customer_id left join regions r on r.id = c.region_id) group by 1`,
    naive: `select r.name, count(o.id), count(t.id), count(a.id) from customers c left join regions r on r.id = c.region_id left join orders o on o.customer_id = c.id left join tickets t on t.customer_id = c.id left join accounts a on a.customer_id = c.id group by 1`,
  },
  {
    title: "a ratio of two facts divides what each of them counts",
    query: { measures: ["orders.minutes_per_order"], dimensions: ["customers.vip"] },
    reference: `select vip, sum(m)::double / nullif(sum(n), 0) from (select c.vip, null m, 1 n from orders o left join customers c on c.id = o.customer_id union all select c.vip, t.minutes, 0 from tickets t left join customers c on c.id = t.customer_id) group by 1`,
    naive: `select c.vip, sum(t.minutes)::double / count(o.id) from customers c left join orders o on o.customer_id = c.id left join tickets t on t.customer_id = c.id group by 1 having count(o.id) > 0`,
  },
  {
    title: "two facts on one axis of time, each by its own date",
    query: {
      measures: ["orders.count", "tickets.count"],
      dimensions: [{ time: { orders: "orders.ordered", tickets: "tickets.opened" }, grain: "month" }],
    },
    reference: `select m, sum(a), sum(b) from (select date_trunc('month', ordered_at)::date m, 1 a, 0 b from orders union all select date_trunc('month', opened_on)::date, 0, 1 from tickets) group by 1`,
    naive: `select date_trunc('month', ordered_at)::date, count(o.id), count(t.id) from orders o left join tickets t on t.customer_id = o.customer_id group by 1`,
  },
  {
    title: "metrics on one axis of time, each by its own date",
    query: {
      measures: ["orders.count", "orders.paid_only"],
      dimensions: [{ time: { count: "orders.ordered", paid_only: "orders.shipped" }, grain: "month" }],
    },
    reference: `select m, sum(a), sum(b) from (select date_trunc('month', ordered_at)::date m, 1 a, null b from orders union all select date_trunc('month', shipped_on)::date, 0, amount from orders where status = 'paid') group by 1`,
    naive: `select date_trunc('month', ordered_at)::date, count(*), sum(amount) filter (status = 'paid') from orders group by 1`,
  },
];

export const nullGroupCases: readonly MetricCase[] = [
  {
    title: "an order without a customer stays, in the null group",
    query: { measures: ["orders.count"], dimensions: ["customers.name"] },
    reference: `select c.name, count(*) from orders o left join customers c on c.id = o.customer_id group by 1`,
    naive: `select c.name, count(*) from orders o join customers c on c.id = o.customer_id group by 1`,
  },
  {
    title: "null groups of two facts are one group",
    query: { measures: ["orders.count", "tickets.count"], dimensions: ["customers.vip"] },
    reference: `select vip, sum(a), sum(b) from (select c.vip, 1 a, 0 b from orders o left join customers c on c.id = o.customer_id union all select c.vip, 0, 1 from tickets t left join customers c on c.id = t.customer_id) group by 1`,
    naive: `select coalesce(a.vip, b.vip), a.n, b.n from (select c.vip, count(*) n from orders o left join customers c on c.id = o.customer_id group by 1) a full join (select c.vip, count(*) n from tickets t left join customers c on c.id = t.customer_id group by 1) b on a.vip = b.vip`,
  },
  {
    title: "customers without orders are not there unless the query asks for them",
    query: { measures: ["orders.count"], dimensions: ["regions.name"] },
    reference: `select r.name, count(*) from orders o left join customers c on c.id = o.customer_id left join regions r on r.id = c.region_id group by 1`,
    naive: `select r.name, count(*) from regions r left join customers c on r.id = c.region_id left join orders o on c.id = o.customer_id group by 1`,
  },
  {
    title: "with empty groups, a customer without orders has none",
    query: { measures: ["orders.count", "orders.revenue"], dimensions: ["customers.name"], includeEmpty: true },
    reference: `select name, sum(n), sum(a) from (select c.name, 1 n, amount a from orders o left join customers c on c.id = o.customer_id union all select name, 0, null from customers) group by 1`,
    naive: `select c.name, count(*), sum(amount) from customers c left join orders o on o.customer_id = c.id group by 1`,
  },
  {
    title: "with empty groups, a filter on the orders keeps the groups",
    query: {
      measures: ["orders.count"],
      dimensions: ["regions.name"],
      filters: ["orders.status = 'paid'"],
      includeEmpty: true,
    },
    reference: `select name, sum(n) from (select r.name, 1 n from orders o left join customers c on c.id = o.customer_id left join regions r on r.id = c.region_id where o.status = 'paid' union all select name, 0 from regions) group by 1`,
    naive: `select r.name, count(o.id) from regions r left join customers c on r.id = c.region_id left join orders o on o.customer_id = c.id where o.status = 'paid' group by 1`,
  },
];
