import type { MetricCase } from "./case.ts";

export const valueCases: readonly MetricCase[] = [
  {
    title: "a status in other capitals is another group",
    query: { measures: ["orders.count"], dimensions: ["orders.status"] },
    reference: `select status, count(*) from orders group by 1`,
    naive: `select lower(status), count(*) from orders group by 1`,
  },
  {
    title: "the median of an even number of values is between the two in the middle",
    query: { measures: ["orders.middle"], dimensions: ["orders.size"] },
    reference: `select case when amount >= 50 then 'large' when amount is not null then 'small' end, median(amount::double) from orders group by 1`,
    naive: `select case when amount >= 50 then 'large' when amount is not null then 'small' end, quantile_disc(amount::double, 0.5) from orders group by 1`,
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
  {
    title: "a text is found by its capitals",
    query: {
      measures: ["orders.count", "orders.revenue"],
      filters: [{ field: "customers.name", op: "in", value: ["ada", "Bob"] }],
    },
    reference: `select count(*), sum(amount) from orders where customer_id in (2, 6)`,
    naive: `select count(*), sum(amount) from orders where customer_id in (1, 2, 6)`,
  },
  {
    title: "patterns and parts of a text distinguish capitals",
    query: {
      measures: ["customers.count"],
      dimensions: ["customers.name"],
      filters: [{ or: ["customers.name LIKE 'A%'", { field: "customers.name", op: "contains", value: "e" }] }],
    },
    reference: `select name, count(*) from customers where name like 'A%' or contains(name, 'e') group by 1`,
    naive: `select name, count(*) from customers where name ilike 'A%' or name ilike '%e%' group by 1`,
  },
  {
    title: "the least name is that of its characters",
    query: { measures: ["customers.first_name"], dimensions: ["regions.name"] },
    reference: `select r.name, min(c.name) from customers c left join regions r on r.id = c.region_id group by 1`,
    naive: `select r.name, first(c.name order by lower(c.name) desc) from customers c left join regions r on r.id = c.region_id group by 1`,
  },
];
