import type { MetricCase } from "./case.ts";

const lastOf = (period: string, more = "") =>
  `select * from (select s.*, c.fiscal, q.label part, p.label season from stock s left join calendar c on c.day = s.day left join quarters q on q.id = c.quarter_id left join periods p on s.day >= p.opens and s.day < p.closes) ${more} qualify rank() over (partition by place, sku, ${period} order by day desc) = 1`;
const lastAtAll = `select s.*, c.fiscal from stock s left join calendar c on c.day = s.day qualify rank() over (partition by place, sku order by s.day desc) = 1`;

/** Stock levels by the periods of a joined calendar, and by expressions of the time. */
export const calendarCases: readonly MetricCase[] = [
  {
    title: "the last units of each fiscal period of a joined calendar",
    query: { measures: ["stock.units"], dimensions: ["calendar.fiscal"] },
    reference: `select fiscal, sum(units) from (${lastOf("fiscal")}) group by 1`,
    naive: `select fiscal, sum(units) from (${lastAtAll}) group by 1`,
  },
  {
    title: "the last units of each month of a joined calendar",
    query: { measures: ["stock.units"], dimensions: [{ field: "calendar.day", grain: "month" }] },
    reference: `select m, sum(units) from (select *, date_trunc('month', c.day)::date m from stock s left join calendar c on c.day = s.day qualify rank() over (partition by place, sku, m order by s.day desc) = 1) group by 1`,
    naive: `select date_trunc('month', day)::date, sum(units) from (${lastAtAll}) group by 1`,
  },
  {
    title: "the last units of what a joined calendar leads to",
    query: { measures: ["stock.units", "stock.rows"], dimensions: ["quarters.label"] },
    reference: `select part, sum(units), (select count(*) from stock s left join calendar c on c.day = s.day left join quarters q on q.id = c.quarter_id where q.label is not distinct from part) from (${lastOf("part")}) group by 1`,
    naive: `select q.label, sum(units), count(*) from stock s left join calendar c on c.day = s.day left join quarters q on q.id = c.quarter_id group by 1`,
  },
  {
    title: "the last units of each season, which a range of days leads to",
    query: { measures: ["stock.units"], dimensions: ["periods.label", "stock.sku"] },
    reference: `select season, sku, sum(units) from (${lastOf("season")}) group by 1, 2`,
    naive: `select p.label, sku, sum(units) from (${lastAtAll}) s left join periods p on s.day >= p.opens and s.day < p.closes group by 1, 2`,
  },
  {
    title: "the last units of each number of a month, which an expression computes",
    query: { measures: ["stock.units"], dimensions: ["stock.month_number"] },
    reference: `select month(day), sum(units) from (${lastOf("month(day)")}) group by 1`,
    naive: `select month(day), sum(units) from (${lastAtAll}) group by 1`,
  },
  {
    title: "the first units of a place in each fiscal period",
    query: { measures: ["stock.opening"], dimensions: ["calendar.fiscal"] },
    reference: `select fiscal, sum(units) from (select s.*, c.fiscal from stock s left join calendar c on c.day = s.day qualify rank() over (partition by place, fiscal order by s.day) = 1) group by 1`,
    naive: `select fiscal, sum(units) from (select s.*, c.fiscal from stock s left join calendar c on c.day = s.day qualify rank() over (partition by place order by s.day) = 1) group by 1`,
  },
  {
    title: "a price of each article and day is a period of what the article has",
    query: { measures: ["stock.units"], dimensions: ["prices.price"] },
    reference: `select price, sum(units) from (select s.*, p.price from stock s left join prices p on p.sku = s.sku and p.day = s.day qualify rank() over (partition by place, s.sku, price order by s.day desc) = 1) group by 1`,
    naive: `select price, sum(units) from (${lastAtAll}) s left join prices p on p.sku = s.sku and p.day = s.day group by 1`,
  },
  {
    title: "the last units by what depends on the time and on something else are refused",
    query: { measures: ["stock.units"], dimensions: ["stock.zone_month"] },
    refused: "ambiguous_question",
  },
  {
    title: "another column does not decide which units are the last",
    query: { measures: ["stock.units"], dimensions: ["stock.zone", "calendar.fiscal"] },
    reference: `select zone, fiscal, sum(units) from (${lastOf("fiscal")}) group by 1, 2`,
    naive: `select zone, fiscal, sum(units) from (select s.*, c.fiscal from stock s left join calendar c on c.day = s.day qualify rank() over (partition by place, sku, fiscal, zone order by s.day desc) = 1) group by 1, 2`,
  },
];
