import type { MetricCase } from "./case.ts";

const byCustomer = `select c.name, count(*) n from tickets t left join customers c on c.id = t.customer_id group by 1`;

export const topCases: readonly MetricCase[] = [
  {
    title: "the first three with ties are four",
    query: {
      measures: ["tickets.count"],
      dimensions: ["customers.name"],
      orderBy: ["-count"],
      limit: 3,
      ties: "keep",
    },
    reference: `select name, n from (select *, rank() over (order by n desc) r from (${byCustomer})) where r <= 3 order by n desc, name nulls last`,
    naive: `${byCustomer} order by n desc limit 3`,
  },
  {
    title: "the first three without ties are decided by the dimension",
    query: { measures: ["tickets.count"], dimensions: ["customers.name"], orderBy: ["-count"], limit: 3 },
    reference: `${byCustomer} order by n desc, name nulls last limit 3`,
    naive: `${byCustomer} order by n desc, name desc nulls last limit 3`,
  },
  {
    title: "the first of each region, with ties",
    query: {
      measures: ["orders.count"],
      dimensions: ["regions.name", "orders.status"],
      orderBy: ["-orders.count"],
      limit: 1,
      limitPer: ["regions.name"],
    },
    reference: `select name, status, n from (select *, rank() over (partition by name order by n desc) r from (select x.name, status, count(*) n from orders o left join customers c on c.id = o.customer_id left join regions x on x.id = c.region_id group by 1, 2)) where r = 1 order by n desc, name nulls last, status nulls last`,
    naive: `select x.name, status, count(*) n from orders o left join customers c on c.id = o.customer_id left join regions x on x.id = c.region_id group by 1, 2 order by n desc limit 1`,
  },
  {
    title: "groups without a value come last, also in descending order",
    query: {
      measures: ["tickets.minutes"],
      dimensions: ["customers.name"],
      filters: ["tickets.opened != '2024-01-10'", "tickets.opened != '2024-01-20'"],
      orderBy: [{ field: "minutes", descending: true }],
      limit: 3,
    },
    reference: `select c.name, sum(minutes) n from tickets t left join customers c on c.id = t.customer_id where opened_on not in ('2024-01-10', '2024-01-20') group by 1 order by n desc nulls last, name nulls last limit 3`,
    naive: `select c.name, sum(minutes) n from tickets t left join customers c on c.id = t.customer_id where opened_on not in ('2024-01-10', '2024-01-20') group by 1 order by n desc nulls first limit 3`,
  },
  {
    title: "filters after the aggregation hold before the limit",
    query: {
      measures: ["orders.revenue"],
      dimensions: ["customers.name"],
      having: ["revenue < 100"],
      orderBy: ["-revenue"],
      limit: 2,
      ties: "keep",
    },
    reference: `select c.name, sum(amount) n from orders o left join customers c on c.id = o.customer_id group by 1 having n < 100 order by n desc limit 2`,
    naive: `select * from (select c.name, sum(amount) n from orders o left join customers c on c.id = o.customer_id group by 1 order by n desc limit 2) where n < 100`,
  },
  {
    title: "a limit for each group without an order is refused",
    query: {
      measures: ["orders.count"],
      dimensions: ["regions.name", "orders.status"],
      limit: 1,
      limitPer: ["regions.name"],
    },
    refused: "invalid_query",
  },
];

export const totalCases: readonly MetricCase[] = [
  {
    title: "the total of distinct buyers counts each once",
    query: { measures: ["orders.buyers"], dimensions: ["orders.status"], totals: true },
    reference: `select status, count(distinct customer_id) from orders group by 1`,
    naive: `select status, count(customer_id) from orders group by 1`,
    totals: `select count(distinct customer_id) from orders`,
  },
  {
    title: "the total counts an order of two categories once",
    query: { measures: ["orders.revenue"], dimensions: ["products.category"], totals: true },
    reference: `select category, sum(amount) from (select distinct o.id, o.amount, p.category from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id) group by 1`,
    naive: `select p.category, sum(amount) from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id group by 1`,
    totals: `select sum(amount) from orders`,
  },
  {
    title: "the total of a ratio is the ratio of totals",
    query: {
      measures: ["orders.paid_share"],
      dimensions: ["orders.ship.country"],
      filters: ["orders.bill.country != 'CH'"],
      limit: 1,
      totals: true,
    },
    reference: `select s.country, count(*) filter (where status = 'paid')::double / count(*) from orders o left join addresses s on s.id = o.ship_id left join addresses b on b.id = o.bill_id where b.country <> 'CH' group by 1 order by 1 nulls last limit 1`,
    naive: `select s.country, count(*) filter (where status = 'paid')::double / count(*) from orders o left join addresses s on s.id = o.ship_id left join addresses b on b.id = o.bill_id where b.country is distinct from 'CH' group by 1 order by 1 desc limit 1`,
    totals: `select count(*) filter (where status = 'paid')::double / count(*) from orders o join addresses b on b.id = o.bill_id where b.country <> 'CH'`,
  },
  {
    title: "shares of groups that do not overlap",
    query: { measures: ["orders.share"], dimensions: ["orders.status"] },
    reference: `select status, sum(amount)::double / (select sum(amount) from orders)::double from orders group by 1`,
    naive: `select status, count(*)::double / (select count(*) from orders) from orders group by 1`,
  },
  {
    title: "shares of groups that overlap are refused",
    query: { measures: ["orders.share"], dimensions: ["products.name"] },
    refused: "unsupported",
  },
];
