import type { MetricCase } from "./case.ts";

export const aggregationFilterCases: readonly MetricCase[] = [
  {
    title: "a filter before the aggregation leaves rows out",
    query: { measures: ["orders.revenue"], dimensions: ["customers.name"], filters: ["orders.size = 'large'"] },
    reference: `select c.name, sum(amount) from orders o left join customers c on c.id = o.customer_id where amount >= 50 group by 1`,
    naive: `select c.name, sum(amount) from orders o left join customers c on c.id = o.customer_id group by 1 having sum(amount) >= 50`,
  },
  {
    title: "orders of customers with more than one order, each counted once",
    query: {
      measures: ["orders.revenue", "customers.count"],
      dimensions: ["customers.name"],
      filters: ["group_metric('orders.count', customers.name, 'customers.name') > 1"],
    },
    reference: `select name, (select sum(amount) from orders o join customers x on x.id = o.customer_id where x.name = c.name), count(*) from customers c where (select count(*) from orders o join customers x on x.id = o.customer_id where x.name = c.name) > 1 group by 1`,
    naive: `select c.name, sum(amount), count(*) from orders o join customers c on c.id = o.customer_id group by 1 having count(*) > 1`,
  },
  {
    title: "the denial of a group's metric is refused, because groups without rows have none",
    query: {
      measures: ["customers.count"],
      filters: ["not group_metric('orders.count', customers.name, 'customers.name') > 1"],
    },
    refused: "unknown_name",
  },
  {
    title: "a filter after the aggregation leaves groups out",
    query: { measures: ["orders.revenue"], dimensions: ["customers.name"], having: ["revenue >= 50.5"] },
    reference: `select c.name, sum(amount) from orders o left join customers c on c.id = o.customer_id group by 1 having sum(amount) >= 50.5`,
    naive: `select c.name, sum(amount) from orders o left join customers c on c.id = o.customer_id where amount >= 50.5 group by 1`,
  },
  {
    title: "a filter after the aggregation may name a measure that is not shown",
    query: {
      measures: ["orders.revenue"],
      dimensions: ["customers.name"],
      having: [{ field: "tickets.minutes", op: ">=", value: 40 }],
    },
    reference: `select name, max(a) from (select c.name, sum(amount) a, null b from orders o left join customers c on c.id = o.customer_id group by 1 union all select c.name, null, sum(minutes) from tickets t left join customers c on c.id = t.customer_id group by 1) group by 1 having max(b) >= 40`,
    naive: `select c.name, sum(amount) from orders o left join customers c on c.id = o.customer_id left join tickets t on t.customer_id = c.id group by 1 having sum(minutes) >= 40`,
  },
  {
    title: "both kinds of filters in one query",
    query: {
      measures: ["orders.count"],
      dimensions: ["customers.vip"],
      filters: ["orders.status = 'paid'"],
      having: ["orders.count < 3"],
    },
    reference: `select vip, count(*) from orders o left join customers c on c.id = o.customer_id where status = 'paid' group by 1 having count(*) < 3`,
    naive: `select vip, count(*) filter (where status = 'paid') from orders o left join customers c on c.id = o.customer_id group by 1 having count(*) < 3`,
  },
  {
    title: "a group whose sum is null passes no comparison",
    query: {
      measures: ["orders.revenue"],
      dimensions: [{ field: "orders.ordered", grain: "month" }],
      having: [{ field: "revenue", op: "!=", value: "150.3" }],
    },
    reference: `select date_trunc('month', ordered_at)::date, sum(amount) from orders group by 1 having sum(amount) <> 150.3`,
    naive: `select date_trunc('month', ordered_at)::date, sum(amount) from orders group by 1 having sum(amount) is distinct from 150.3`,
  },
  {
    title: "alternatives after the aggregation, over a ratio and a count",
    query: {
      measures: ["orders.count", "orders.paid_share"],
      dimensions: ["orders.ship.country"],
      having: [{ or: ["paid_share > 0.6", "count = 3"] }],
    },
    reference: `select country, count(*), count(*) filter (where status = 'paid')::double / count(*) from orders o left join addresses a on a.id = o.ship_id group by 1 having count(*) = 3 or count(*) filter (where status = 'paid')::double / count(*) > 0.6`,
    naive: `select country, count(*), count(*) filter (where status = 'paid')::double / count(*) from orders o left join addresses a on a.id = o.ship_id group by 1 having count(*) = 3 or count(*) filter (where status = 'paid') // count(*) > 0.6`,
  },
];

const sold = `order_items i left join products p on p.id = i.product_id`;

const withOrder = (where: string) => `exists (select 1 from orders o where o.customer_id = c.id and ${where})`;
const withTicket = (where: string) => `exists (select 1 from tickets t where t.customer_id = c.id and ${where})`;
const countCustomers = (where: string) => `select count(*) from customers c where ${where}`;

const alternativeCases: readonly MetricCase[] = [
  {
    title: "an alternative in one text holds for customers without orders",
    query: { measures: ["customers.count"], filters: ["customers.name = 'Dee' or orders.status = 'paid'"] },
    reference: countCustomers(`c.name = 'Dee' or ${withOrder("o.status = 'paid'")}`),
    naive: countCustomers(withOrder("(c.name = 'Dee' or o.status = 'paid')")),
  },
  {
    title: "an alternative within an and holds for customers without orders",
    query: {
      measures: ["customers.count"],
      filters: [{ and: ["not customers.vip", { or: ["customers.name = 'Dee'", "orders.status = 'open'"] }] }],
    },
    reference: countCustomers(`not c.vip and (c.name = 'Dee' or ${withOrder("o.status = 'open'")})`),
    naive: countCustomers(withOrder("not c.vip and (c.name = 'Dee' or o.status = 'open')")),
  },
  {
    title: "a negated and holds for customers without orders",
    query: { measures: ["customers.count"], filters: ["not (customers.vip and orders.status = 'paid')"] },
    reference: countCustomers(`not c.vip or ${withOrder("o.status <> 'paid'")}`),
    naive: countCustomers(withOrder("not (c.vip and o.status = 'paid')")),
  },
  {
    title: "conditions on two to-many joins hold for one row of each",
    query: {
      measures: ["customers.count"],
      filters: [{ and: ["orders.status = 'paid'", "tickets.priority = 'low'", "orders.price > 60"] }],
    },
    reference: countCustomers(
      `${withOrder("o.status = 'paid' and o.amount > 60")} and ${withTicket("t.priority = 'low'")}`,
    ),
    naive: `select count(*) from customers c join orders o on o.customer_id = c.id join tickets t on t.customer_id = c.id where o.status = 'paid' and o.amount > 60 and t.priority = 'low'`,
  },
  {
    title: "two conditions on orders and one on tickets hold for the same order",
    query: {
      measures: ["customers.count"],
      filters: ["orders.status = 'open' and orders.price > 30 and tickets.priority = 'low'"],
    },
    reference: countCustomers(
      `${withOrder("o.status = 'open' and o.amount > 30")} and ${withTicket("t.priority = 'low'")}`,
    ),
    naive: countCustomers(
      `${withOrder("o.status = 'open'")} and ${withOrder("o.amount > 30")} and ${withTicket("t.priority = 'low'")}`,
    ),
  },
  {
    title: "a condition that compares rows of two to-many joins is refused",
    query: { measures: ["customers.count"], filters: ["orders.price > tickets.id"] },
    refused: "ambiguous_question",
  },
  {
    title: "alternatives that share an order with another condition are refused",
    query: {
      measures: ["customers.count"],
      filters: [{ and: ["orders.price > 10", { or: ["orders.status = 'paid'", "tickets.priority = 'low'"] }] }],
    },
    refused: "ambiguous_question",
  },
  {
    title: "two alternatives that each may hold without an order are refused",
    query: {
      measures: ["customers.count"],
      filters: ["(customers.vip or orders.status = 'paid') and (customers.name = 'Bob' or orders.price > 10)"],
    },
    refused: "ambiguous_question",
  },
];

export const toManyFilterCases: readonly MetricCase[] = [
  {
    title: "orders with an office product are counted once",
    query: { measures: ["orders.count", "orders.revenue"], filters: ["products.category = 'office'"] },
    reference: `select count(*), sum(amount) from orders o where exists (select 1 from ${sold} where i.order_id = o.id and category = 'office')`,
    naive: `select count(*), sum(amount) from orders o join order_items i on i.order_id = o.id join products p on p.id = i.product_id where category = 'office'`,
  },
  {
    title: "customers with a paid order, by their region",
    query: { measures: ["customers.count"], dimensions: ["regions.name"], filters: ["orders.status = 'paid'"] },
    reference: `select r.name, count(*) from customers c left join regions r on r.id = c.region_id where exists (select 1 from orders o where o.customer_id = c.id and status = 'paid') group by 1`,
    naive: `select r.name, count(*) from customers c left join regions r on r.id = c.region_id join orders o on o.customer_id = c.id where status = 'paid' group by 1`,
  },
  {
    title: "conditions of one filter hold for the same item",
    query: {
      measures: ["orders.count"],
      filters: [{ and: ["products.name = 'Pen'", "order_items.quantity = 1"] }],
    },
    reference: `select count(*) from orders o where exists (select 1 from ${sold} where i.order_id = o.id and p.name = 'Pen' and quantity = 1)`,
    naive: `select count(*) from orders o where exists (select 1 from ${sold} where i.order_id = o.id and p.name = 'Pen') and exists (select 1 from ${sold} where i.order_id = o.id and quantity = 1)`,
  },
  {
    title: "two filters may hold for two items",
    query: { measures: ["orders.revenue"], filters: ["products.name = 'Pen'", "products.name = 'Cup'"] },
    reference: `select sum(amount) from orders o where exists (select 1 from ${sold} where i.order_id = o.id and p.name = 'Pen') and exists (select 1 from ${sold} where i.order_id = o.id and p.name = 'Cup')`,
    naive: `select sum(amount) from orders o where exists (select 1 from ${sold} where i.order_id = o.id and p.name = 'Pen' and p.name = 'Cup')`,
  },
  {
    title: "an inequality means that there is one that differs",
    query: { measures: ["customers.first_name", "customers.count"], filters: ["orders.status != 'paid'"] },
    reference: `select min(name), count(*) from customers c where exists (select 1 from orders o where o.customer_id = c.id and status <> 'paid')`,
    naive: `select min(name), count(*) from customers c where not exists (select 1 from orders o where o.customer_id = c.id and status = 'paid')`,
  },
  {
    title: "is null across a to-many join means a row with null, not no row",
    query: { measures: ["customers.count"], filters: ["orders.status is null"] },
    reference: `select count(*) from customers c where exists (select 1 from orders o where o.customer_id = c.id and status is null)`,
    naive: `select count(*) from customers c left join orders o on o.customer_id = c.id where status is null`,
  },
  {
    title: "a segment across a to-many join",
    query: { measures: ["orders.revenue"], dimensions: ["orders.status"], filters: [{ segment: "orders.with_pens" }] },
    reference: `select status, sum(amount) from orders o where exists (select 1 from ${sold} where i.order_id = o.id and p.name = 'Pen') group by 1`,
    naive: `select status, sum(amount) from orders o join order_items i on i.order_id = o.id join products p on p.id = i.product_id where p.name = 'Pen' group by 1`,
  },
  {
    title: "a segment does not hold where the join finds no row of its model, also if it replaces what is NULL",
    query: { measures: ["orders.count"], filters: [{ segment: "customers.short_names" }] },
    reference: `select count(*) from orders o join customers c on c.id = o.customer_id where length(coalesce(c.name, '')) < 4`,
    naive: `select count(*) from orders o left join customers c on c.id = o.customer_id where length(coalesce(c.name, '')) < 4`,
  },
  {
    title: "a filter of a metric on rows of another model needs no row of its own",
    query: { measures: ["customers.small_lines"] },
    reference: `select count(*) from order_items where coalesce(quantity, 0) < 3`,
    naive: `select count(*) from order_items i join orders o on o.id = i.order_id join customers c on c.id = o.customer_id where coalesce(quantity, 0) < 3`,
  },
  {
    title: "a filter holds for both facts of a query",
    query: { measures: ["orders.count", "tickets.count"], filters: ["customers.vip"] },
    reference: `select (select count(*) from orders where customer_id in (1, 3)), (select count(*) from tickets where customer_id in (1, 3))`,
    naive: `select (select count(*) from orders where customer_id in (1, 3)), (select count(*) from tickets)`,
  },
  {
    title: "a filter that a fact cannot reach is refused",
    query: { measures: ["orders.count", "tickets.count"], filters: ["orders.status = 'paid'"] },
    refused: "unreachable",
  },
  ...alternativeCases,
  {
    title: "a filter and a dimension over the same to-many rows are refused",
    query: { measures: ["orders.count"], dimensions: ["products.name"], filters: ["products.category = 'home'"] },
    refused: "ambiguous_question",
  },
];

export const nullInListCases: readonly MetricCase[] = [
  {
    title: "null in a list of not in leaves the other values",
    query: { measures: ["orders.count"], filters: [{ field: "orders.status", op: "not in", value: ["paid", null] }] },
    reference: `select count(*) from orders where status <> 'paid'`,
    naive: `select count(*) from orders where status not in ('paid', null)`,
  },
  {
    title: "null in a NOT IN that is written as an expression",
    query: {
      measures: ["orders.revenue"],
      dimensions: ["customers.vip"],
      filters: ["orders.status NOT IN ('void', NULL)"],
    },
    reference: `select vip, sum(amount) from orders o left join customers c on c.id = o.customer_id where status <> 'void' group by 1`,
    naive: `select vip, sum(amount) from orders o left join customers c on c.id = o.customer_id where status not in ('void', null) group by 1`,
  },
  {
    title: "null in a list of in finds the other values, and no missing ones",
    query: { measures: ["orders.count"], filters: [{ field: "orders.status", op: "in", value: ["paid", null] }] },
    reference: `select count(*) from orders where status = 'paid'`,
    naive: `select count(*) from orders where status = 'paid' or status is null`,
  },
  {
    title: "null in an IN that is written as an expression finds the other values",
    query: { measures: ["orders.count"], filters: ["NOT (orders.status IN ('paid', NULL))"] },
    reference: `select count(*) from orders where status <> 'paid'`,
    naive: `select count(*) from orders where not (status in ('paid', null))`,
  },
  {
    title: "not in keeps no rows without a value",
    query: {
      measures: ["orders.count"],
      dimensions: ["orders.status"],
      filters: [{ field: "customers.name", op: "not in", value: ["Ada"] }],
    },
    reference: `select status, count(*) from orders o left join customers c on c.id = o.customer_id where c.name <> 'Ada' group by 1`,
    naive: `select status, count(*) from orders o left join customers c on c.id = o.customer_id where c.name is distinct from 'Ada' group by 1`,
  },
  {
    title: "a list of nothing but null leaves rows with a value",
    query: { measures: ["tickets.count"], filters: [{ field: "tickets.priority", op: "not in", value: [null] }] },
    reference: `select count(priority) from tickets`,
    naive: `select count(*) from tickets where priority not in (null)`,
  },
  {
    title: "null in a list of numbers",
    query: {
      measures: ["order_items.units"],
      filters: [{ field: "order_items.quantity", op: "not in", value: [1, null] }],
    },
    reference: `select sum(quantity) from order_items where quantity <> 1`,
    naive: `select sum(quantity) from order_items where quantity not in (1, null)`,
  },
];

export const boundCases: readonly MetricCase[] = [
  {
    title: "a date as upper bound means the whole day",
    query: { measures: ["orders.count", "orders.revenue"], filters: ["orders.ordered <= '2024-01-31'"] },
    reference: `select count(*), sum(amount) from orders where ordered_at < '2024-02-01'`,
    naive: `select count(*), sum(amount) from orders where ordered_at <= timestamp '2024-01-31'`,
  },
  {
    title: "not on a day leaves out the whole day",
    query: { measures: ["orders.count"], filters: ["orders.ordered != '2024-01-31'"] },
    reference: `select count(*) from orders where ordered_at::date <> '2024-01-31'`,
    naive: `select count(*) from orders where ordered_at <> timestamp '2024-01-31'`,
  },
  {
    title: "between includes both days",
    query: { measures: ["orders.count"], filters: ["orders.ordered BETWEEN '2024-01-01' AND '2024-03-31'"] },
    reference: `select count(*) from orders where ordered_at >= '2024-01-01' and ordered_at < '2024-04-01'`,
    naive: `select count(*) from orders where ordered_at between timestamp '2024-01-01' and timestamp '2024-03-31'`,
  },
  {
    title: "after a day means after its end",
    query: { measures: ["orders.count"], filters: [{ field: "orders.ordered", op: ">", value: "2024-01-31" }] },
    reference: `select count(*) from orders where ordered_at >= '2024-02-01'`,
    naive: `select count(*) from orders where ordered_at > timestamp '2024-01-31'`,
  },
  {
    title: "on a day means all of it",
    query: { measures: ["orders.count"], filters: [{ field: "orders.ordered", op: "=", value: "2024-03-31" }] },
    reference: `select count(*) from orders where ordered_at::date = '2024-03-31'`,
    naive: `select count(*) from orders where ordered_at = timestamp '2024-03-31'`,
  },
  {
    title: "a bound on a date includes its day",
    query: {
      measures: ["orders.count"],
      filters: ["orders.shipped <= '2024-03-31'", "orders.shipped >= '2024-02-02'"],
    },
    reference: `select count(*) from orders where shipped_on between '2024-02-02' and '2024-03-31'`,
    naive: `select count(*) from orders where shipped_on > '2024-02-02' and shipped_on < '2024-03-31'`,
  },
  {
    title: "a bound with a time of day is exact",
    query: { measures: ["orders.count"], filters: ["orders.ordered < '2024-03-31 23:30:00'"] },
    reference: `select count(*) from orders where ordered_at < '2024-03-31 23:30:00'`,
    naive: `select count(*) from orders where ordered_at <= '2024-03-31 23:30:00'`,
  },
  {
    title: "a text that is no date is refused as a bound",
    query: { measures: ["orders.count"], filters: ["orders.ordered <= '2024-02-30'"] },
    refused: "invalid_value",
  },
];
