import type { MetricCase } from "./case.ts";

export const rangeJoinCases: readonly MetricCase[] = [
  {
    title: "a sale has the rate that was valid on its day",
    query: { measures: ["sales.count"], dimensions: ["rates.rate"] },
    reference: `select r.rate, count(*) from sales s left join rates r on r.product_id = s.product_id and s.sold_on >= r.valid_from and s.sold_on < r.valid_to group by 1`,
    naive: `select r.rate, count(*) from sales s left join rates r on r.product_id = s.product_id group by 1`,
  },
  {
    title: "a measure over a range join multiplies with one rate",
    query: { measures: ["sales.valued"] },
    reference: `select sum(s.units * r.rate) from sales s left join rates r on r.product_id = s.product_id and s.sold_on >= r.valid_from and s.sold_on < r.valid_to`,
    naive: `select sum(s.units * r.rate) from sales s left join rates r on r.product_id = s.product_id`,
  },
  {
    title: "the first day of a rate belongs to it alone",
    query: { measures: ["sales.valued", "sales.count"], dimensions: ["sales.region"] },
    reference: `select s.region, sum(s.units * r.rate), count(*) from sales s left join rates r on r.product_id = s.product_id and s.sold_on >= r.valid_from and s.sold_on < r.valid_to group by 1`,
    naive: `select s.region, sum(s.units * r.rate), count(*) from sales s left join rates r on r.product_id = s.product_id and s.sold_on between r.valid_from and r.valid_to group by 1`,
  },
  {
    title: "a filter behind a range join",
    query: { measures: ["sales.units"], filters: ["rates.rate >= 1.2"] },
    reference: `select sum(units) from sales s join rates r on r.product_id = s.product_id and s.sold_on >= r.valid_from and s.sold_on < r.valid_to where r.rate >= 1.2`,
    naive: `select sum(units) from sales s join rates r on r.product_id = s.product_id where r.rate >= 1.2`,
  },
];

const taggedItems = `order_items i left join products p on p.id = i.product_id left join product_tags pt on pt.product_id = p.id left join tags t on t.id = pt.tag_id`;

export const manyToManyCases: readonly MetricCase[] = [
  {
    title: "products without tags are in the null group",
    query: { measures: ["products.count"], dimensions: ["tags.label"] },
    reference: `select t.label, count(*) from products p left join product_tags pt on pt.product_id = p.id left join tags t on t.id = pt.tag_id group by 1`,
    naive: `select t.label, count(*) from products p join product_tags pt on pt.product_id = p.id join tags t on t.id = pt.tag_id group by 1`,
  },
  {
    title: "a tag counts once for each category, however many products it has there",
    query: { measures: ["tags.count"], dimensions: ["products.category"] },
    reference: `select category, count(*) from (select distinct t.id, p.category from tags t left join product_tags pt on pt.tag_id = t.id left join products p on p.id = pt.product_id) group by 1`,
    naive: `select p.category, count(*) from tags t left join product_tags pt on pt.tag_id = t.id left join products p on p.id = pt.product_id group by 1`,
  },
  {
    title: "equal lines of an order are two, told apart by their key of two columns",
    query: { measures: ["order_items.units", "order_items.value"], dimensions: ["products.product_tags.tags.label"] },
    reference: `select label, sum(quantity), sum(quantity * price) from (select distinct i.order_id, i.line, i.quantity, i.price, t.label from ${taggedItems}) group by 1`,
    naive: `select label, sum(quantity), sum(quantity * price) from (select distinct i.order_id, i.quantity, i.price, t.label from ${taggedItems} where i.product_id is not null) group by 1`,
  },
  {
    title: "items by tag go over the bridge of their product, by the only path",
    query: { measures: ["order_items.value", "order_items.units"], dimensions: ["tags.label"] },
    reference: `select label, sum(quantity * price), sum(quantity) from (select distinct i.order_id, i.line, i.quantity, i.price, t.label from ${taggedItems}) group by 1`,
    naive: `select t.label, sum(i.quantity * i.price), sum(i.quantity) from ${taggedItems} where t.label is not null group by 1`,
  },
  {
    title: "a filter by tag goes over the bridge of each order's products",
    query: { measures: ["orders.revenue"], filters: ["tags.label = 'new'"] },
    reference: `select sum(amount) from orders o where exists (select 1 from order_items i join product_tags pt on pt.product_id = i.product_id join tags t on t.id = pt.tag_id where i.order_id = o.id and t.label = 'new')`,
    naive: `select sum(o.amount) from orders o join order_items i on i.order_id = o.id join product_tags pt on pt.product_id = i.product_id join tags t on t.id = pt.tag_id where t.label = 'new'`,
  },
  {
    title: "a filter over many-to-many keeps each item once",
    query: {
      measures: ["order_items.value"],
      filters: [{ field: "products.product_tags.tags.label", op: "in", value: ["new", "sale"] }],
    },
    reference: `select sum(quantity * price) from order_items where product_id in (select product_id from product_tags where tag_id in (1, 2))`,
    naive: `select sum(i.quantity * i.price) from ${taggedItems} where t.label in ('new', 'sale')`,
  },
  {
    title: "revenue by tag counts each order once for each tag",
    query: { measures: ["orders.revenue"], dimensions: ["products.product_tags.tags.label"] },
    reference: `select label, sum(amount) from (select distinct o.id, o.amount, t.label from orders o left join (select i.order_id, t.label from ${taggedItems}) t on t.order_id = o.id) group by 1`,
    naive: `select t.label, sum(o.amount) from orders o left join (select i.order_id, t.label from ${taggedItems}) t on t.order_id = o.id group by 1`,
  },
];
