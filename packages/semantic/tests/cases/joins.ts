import type { MetricCase } from "./case.ts";

export const compoundJoinCases: readonly MetricCase[] = [
  {
    title: "a join over two columns takes both",
    query: { measures: ["sales.units"], dimensions: ["sales.targets.owner"] },
    reference: `select t.owner, sum(s.units) from sales s left join targets t on t.region = s.region and t.channel = s.channel group by 1`,
    naive: `select t.owner, sum(s.units) from sales s left join targets t on t.region = s.region group by 1`,
  },
  {
    title: "an OR within a join's condition stays within it, and each sale counts once for each owner",
    query: { measures: ["sales.count", "sales.units"], dimensions: ["sales.any_target.owner"] },
    reference: `select owner, count(*), sum(units) from (select distinct s.id, s.units, t.owner from sales s left join targets t on s.region = t.region and (s.channel = t.channel or t.quota >= 40)) group by 1`,
    naive: `select t.owner, count(*), sum(s.units) from sales s left join targets t on s.region = t.region and s.channel = t.channel or t.quota >= 40 group by 1`,
  },
  {
    title: "a filter behind a join over two columns",
    query: { measures: ["sales.units"], dimensions: ["sales.region"], filters: ["sales.targets.quota >= 20"] },
    reference: `select s.region, sum(s.units) from sales s join targets t on t.region = s.region and t.channel = s.channel where t.quota >= 20 group by 1`,
    naive: `select s.region, sum(s.units) from sales s join targets t on t.region = s.region where t.quota >= 20 group by 1`,
  },
  {
    title: "a null in one of two joined columns finds nothing",
    query: { measures: ["sales.count"], dimensions: ["sales.channel", "sales.targets.owner"] },
    reference: `select s.channel, t.owner, count(*) from sales s left join targets t on t.region = s.region and t.channel = s.channel group by 1, 2`,
    naive: `select s.channel, t.owner, count(*) from sales s left join targets t on t.region = s.region and coalesce(t.channel = s.channel, true) group by 1, 2`,
  },
  {
    title: "quotas and sales meet on the owner, each summed once",
    query: { measures: ["targets.quota", "sales.units"], dimensions: ["targets.owner"], via: "sales.targets" },
    reference: `select owner, max(q), max(u) from (select owner, sum(quota) q, null u from targets group by 1 union all select t.owner, null, sum(s.units) from sales s left join targets t on t.region = s.region and t.channel = s.channel group by 1) group by 1`,
    naive: `select t.owner, sum(t.quota), sum(s.units) from targets t left join sales s on t.region = s.region group by 1`,
  },
];

export const rolePlayingCases: readonly MetricCase[] = [
  {
    title: "orders by the country that they are shipped to",
    query: { measures: ["orders.count"], dimensions: ["orders.ship.country"] },
    reference: `select a.country, count(*) from orders o left join addresses a on a.id = o.ship_id group by 1`,
    naive: `select a.country, count(*) from orders o left join addresses a on a.id = o.ship_id and a.id = o.bill_id group by 1`,
  },
  {
    title: "both addresses of an order are joined, each by its own key",
    query: { measures: ["orders.revenue"], dimensions: ["orders.ship.country", "orders.bill.country"] },
    reference: `select s.country, b.country, sum(amount) from orders o left join addresses s on s.id = o.ship_id left join addresses b on b.id = o.bill_id group by 1, 2`,
    naive: `select s.country, s.country, sum(amount) from orders o left join addresses s on s.id = o.ship_id group by 1, 2`,
  },
  {
    title: "a filter on one role and a dimension of the other",
    query: { measures: ["orders.count"], dimensions: ["orders.ship.city"], filters: ["orders.bill.country = 'IT'"] },
    reference: `select s.city, count(*) from orders o left join addresses s on s.id = o.ship_id left join addresses b on b.id = o.bill_id where b.country = 'IT' group by 1`,
    naive: `select s.city, count(*) from orders o left join addresses s on s.id = o.ship_id where s.country = 'IT' group by 1`,
  },
  {
    title: "a field that two roles lead to is refused",
    query: { measures: ["orders.count"], dimensions: ["addresses.country"] },
    refused: "ambiguous_path",
  },
  {
    title: "a to-one and a to-many join to one model are two ways, and refused",
    query: { measures: ["sales.units"], dimensions: ["targets.owner"] },
    refused: "ambiguous_path",
  },
  {
    title: "via chooses the role for the whole query",
    query: {
      measures: ["orders.count"],
      dimensions: ["addresses.country"],
      filters: ["addresses.city != 'Bergen'"],
      via: "orders.bill",
    },
    reference: `select a.country, count(*) from orders o left join addresses a on a.id = o.bill_id where a.city <> 'Bergen' group by 1`,
    naive: `select a.country, count(*) from orders o left join addresses a on a.id = o.ship_id where a.city <> 'Bergen' group by 1`,
  },
  {
    title: "the way back over two roles is refused too",
    query: { measures: ["addresses.count"], dimensions: ["orders.status"] },
    refused: "ambiguous_path",
  },
  {
    title: "via chooses the role of the way back",
    query: { measures: ["addresses.count"], dimensions: ["orders.status"], via: "orders.ship" },
    reference: `select status, count(*) from (select distinct a.id, o.status from addresses a left join orders o on o.ship_id = a.id) group by 1`,
    naive: `select status, count(*) from (select distinct a.id, o.status from addresses a left join orders o on o.bill_id = a.id) group by 1`,
  },
  {
    title: "via names a join without its model, and another that decides nothing",
    query: { measures: ["order_items.units"], dimensions: ["addresses.country"], via: ["referrer", "bill"] },
    reference: `select a.country, sum(i.quantity) from order_items i left join orders o on o.id = i.order_id left join addresses a on a.id = o.bill_id group by 1`,
    naive: `select a.country, sum(i.quantity) from order_items i left join orders o on o.id = i.order_id left join addresses a on a.id = o.ship_id group by 1`,
  },
  {
    title: "the role is kept over another join",
    query: { measures: ["order_items.units"], dimensions: ["orders.bill.city"] },
    reference: `select a.city, sum(i.quantity) from order_items i left join orders o on o.id = i.order_id left join addresses a on a.id = o.bill_id group by 1`,
    naive: `select a.city, sum(i.quantity) from order_items i left join orders o on o.id = i.order_id left join addresses a on a.id in (o.bill_id, o.ship_id) group by 1`,
  },
];

export const selfJoinCases: readonly MetricCase[] = [
  {
    title: "customers by the name of who referred them",
    query: { measures: ["customers.count"], dimensions: ["customers.referrer.name"] },
    reference: `select r.name, count(*) from customers c left join customers r on r.id = c.referrer_id group by 1`,
    naive: `select r.name, count(*) from customers c join customers r on r.id = c.referrer_id group by 1`,
  },
  {
    title: "orders by the referrer of their customer",
    query: { measures: ["orders.revenue"], dimensions: ["customers.name", "customers.referrer.name"] },
    reference: `select c.name, r.name, sum(amount) from orders o left join customers c on c.id = o.customer_id left join customers r on r.id = c.referrer_id group by 1, 2`,
    naive: `select c.name, r.name, sum(amount) from orders o left join customers c on c.id = o.customer_id left join customers r on r.referrer_id = c.id group by 1, 2`,
  },
  {
    title: "a filter on the referrer is not one on the customer",
    query: { measures: ["customers.count"], filters: ["customers.referrer.vip"] },
    reference: `select count(*) from customers c join customers r on r.id = c.referrer_id where r.vip`,
    naive: `select count(*) from customers where vip`,
  },
  {
    title: "a self join is taken twice",
    query: { measures: ["customers.count"], dimensions: ["customers.name", "customers.referrer.referrer.name"] },
    reference: `select c.name, q.name, count(*) from customers c left join customers r on r.id = c.referrer_id left join customers q on q.id = r.referrer_id group by 1, 2`,
    naive: `select c.name, r.name, count(*) from customers c left join customers r on r.id = c.referrer_id group by 1, 2`,
  },
  {
    title: "customers whose referrer does not exist are without one",
    query: { measures: ["customers.count"], filters: ["customers.referrer.name IS NULL"] },
    reference: `select count(*) from customers where referrer_id is null or referrer_id not in (select id from customers)`,
    naive: `select count(*) from customers where referrer_id is null`,
  },
];

export const oneToOneCases: readonly MetricCase[] = [
  {
    title: "customers without a profile are in the null group with those whose tier is null",
    query: { measures: ["customers.count"], dimensions: ["profiles.tier"] },
    reference: `select p.tier, count(*) from customers c left join profiles p on p.customer_id = c.id group by 1`,
    naive: `select p.tier, count(*) from customers c join profiles p on p.customer_id = c.id group by 1`,
  },
  {
    title: "profiles are counted over their own rows, from the other side",
    query: { measures: ["profiles.count", "profiles.score"], dimensions: ["customers.vip"] },
    reference: `select c.vip, count(*), sum(score) from profiles p left join customers c on c.id = p.customer_id group by 1`,
    naive: `select c.vip, count(*), sum(score) from customers c left join profiles p on p.customer_id = c.id group by 1`,
  },
  {
    title: "a score is not multiplied by the orders of its customer",
    query: { measures: ["profiles.score", "orders.count"], dimensions: ["profiles.tier"] },
    reference: `select tier, max(s), coalesce(max(n), 0) from (select tier, sum(score) s, null n from profiles group by 1 union all select p.tier, null, count(*) from orders o left join profiles p on p.customer_id = o.customer_id group by 1) group by 1`,
    naive: `select p.tier, sum(p.score), count(o.id) from profiles p left join orders o on o.customer_id = p.customer_id group by 1`,
  },
  {
    title: "a score by the orders behind a one-to-one join counts once for each status",
    query: { measures: ["profiles.score"], dimensions: ["orders.status"] },
    reference: `select status, sum(score) from (select distinct p.customer_id, p.score, o.status from profiles p left join orders o on o.customer_id = p.customer_id) group by 1`,
    naive: `select o.status, sum(p.score) from profiles p left join orders o on o.customer_id = p.customer_id group by 1`,
  },
  {
    title: "a filter behind a one-to-one join multiplies nothing",
    query: { measures: ["orders.revenue", "customers.count"], filters: ["profiles.tier = 'gold'"] },
    reference: `select (select sum(amount) from orders join profiles p using (customer_id) where p.tier = 'gold'), (select count(*) from profiles where tier = 'gold')`,
    naive: `select sum(amount), count(c.id) from customers c join profiles p on p.customer_id = c.id left join orders o on o.customer_id = c.id where p.tier = 'gold'`,
  },
];
