import type { MetricCase } from "./case.ts";

export const inlineAggregateCases: readonly MetricCase[] = [
  {
    title: "aggregates within the expression of a metric are those of its rows",
    query: { measures: ["orders.per_buyer"], dimensions: ["products.category"] },
    reference: `select category, sum(amount)::double / nullif(count(distinct customer_id), 0) from (select distinct o.id, o.amount, o.customer_id, p.category from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id) group by 1`,
    naive: `select p.category, sum(o.amount)::double / nullif(count(distinct o.customer_id), 0) from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id group by 1`,
  },
  {
    title: "an aggregate names the model whose rows it is of",
    query: { measures: ["orders.net_of_minutes"], dimensions: ["customers.name"] },
    reference: `select name, sum(a) - sum(b) from (select c.name, amount a, null b from orders o left join customers c on c.id = o.customer_id union all select c.name, null, minutes from tickets t left join customers c on c.id = t.customer_id) group by 1`,
    naive: `select c.name, sum(o.amount) - sum(t.minutes) from customers c left join orders o on o.customer_id = c.id left join tickets t on t.customer_id = c.id group by 1`,
  },
  {
    title: "within an aggregate, a name is a dimension before it is a column",
    query: { measures: ["orders.large_share"], dimensions: ["orders.status"] },
    reference: `select status, count(*) filter (amount >= 50)::double / count(*) from orders group by 1`,
    naive: `select status, count(amount >= 50)::double / count(*) from orders group by 1`,
  },
  {
    title: "filters of the query hold for aggregates within a metric",
    query: { measures: ["orders.per_buyer"], filters: ["orders.status = 'paid'"] },
    reference: `select sum(amount)::double / count(distinct customer_id) from orders where status = 'paid'`,
    naive: `select sum(amount)::double / (select count(distinct customer_id) from orders) from orders where status = 'paid'`,
  },
];
