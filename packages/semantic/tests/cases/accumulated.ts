import type { MetricCase } from "./case.ts";

const month = { field: "orders.ordered", grain: "month", as: "month" } as const;
const months = `(select unnest(generate_series(date '2024-01-01', date '2024-06-01', interval 1 month))::date m)`;
const before = `date_trunc('month', ordered_at) <= m`;

export const cumulativeCases: readonly MetricCase[] = [
  {
    title: "each group adds up from its first month on",
    query: { measures: ["orders.running_count"], dimensions: ["customers.vip", month] },
    reference: `select v, m, (select count(*) from orders o left join customers c on c.id = o.customer_id where vip is not distinct from v and ${before}) from ${months} join (select vip v, min(date_trunc('month', ordered_at)) f from orders o left join customers c on c.id = o.customer_id where ordered_at is not null group by 1) on m >= f`,
    naive: `select vip, date_trunc('month', ordered_at)::date, sum(count(*)) over (partition by vip order by date_trunc('month', ordered_at)) from orders o left join customers c on c.id = o.customer_id where ordered_at is not null group by 1, date_trunc('month', ordered_at)`,
  },
  {
    title: "a window of two months holds a month without orders",
    query: { measures: ["orders.two_months"], dimensions: [month] },
    reference: `select m, (select sum(amount) from orders where ${before} and date_trunc('month', ordered_at) > m - interval 2 month) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, sum(sum(amount)) over (order by date_trunc('month', ordered_at) rows 1 preceding) from orders where ordered_at is not null group by date_trunc('month', ordered_at)`,
  },
  {
    title: "buyers of seven days are counted once on each of them",
    query: {
      measures: ["orders.week_buyers"],
      dimensions: [{ field: "orders.ordered", grain: "day", as: "day" }],
      filters: ["orders.ordered >= '2024-04-01'", "orders.ordered <= '2024-04-20'"],
    },
    reference: `select d::date, (select count(distinct customer_id) from orders where ordered_at < d + interval 1 day and ordered_at >= d - interval 6 day) from (select unnest(generate_series(date '2024-04-01', date '2024-04-20', interval 1 day)) d)`,
    naive: `select d::date, (select count(customer_id) from orders where ordered_at < d + interval 1 day and ordered_at >= d - interval 6 day) from (select unnest(generate_series(date '2024-04-01', date '2024-04-20', interval 1 day)) d)`,
  },
  {
    title: "a running average is that of all orders so far",
    query: { measures: ["orders.running_average"], dimensions: [month] },
    reference: `select m, (select avg(amount::double) from orders where ${before}) from ${months}`,
    naive: `select m, (select avg(a) from (select avg(amount::double) a from orders where ${before} group by date_trunc('month', ordered_at))) from ${months}`,
  },
  {
    title: "without a time, a running total is the total",
    query: { measures: ["orders.running"], dimensions: ["orders.status"] },
    reference: `select status, sum(amount) from orders group by 1`,
    naive: `select status, sum(sum(amount)) over (order by status) from orders group by 1`,
  },
  {
    title: "a window without a time is refused",
    query: { measures: ["orders.two_months"], dimensions: ["orders.status"] },
    refused: "invalid_query",
  },
  {
    title: "a window of days by months is that of the last day of each",
    query: { measures: ["orders.week_buyers"], dimensions: [month] },
    reference: `select m, (select count(distinct customer_id) from orders where ordered_at < m + interval 1 month and ordered_at >= m + interval 1 month - interval 7 day) from ${months}`,
    naive: `select m, (select count(distinct customer_id) from orders where ordered_at < m + interval 1 month and ordered_at >= m) from ${months}`,
  },
  {
    title: "a window of days by weeks, by group, begins with the group's first week",
    query: {
      measures: ["orders.week_revenue"],
      dimensions: ["customers.vip", { field: "orders.ordered", grain: "week", as: "week" }],
    },
    reference: `select v, w::date, (select sum(amount) from orders o left join customers c on c.id = o.customer_id where vip is not distinct from v and ordered_at < w + interval 7 day and ordered_at >= w - interval 3 day) from (select unnest(generate_series((select date_trunc('week', min(ordered_at)) from orders), (select date_trunc('week', max(ordered_at)) from orders), interval 7 day)) w) join (select vip v, date_trunc('week', min(ordered_at)) f from orders o left join customers c on c.id = o.customer_id where ordered_at is not null group by 1) on w >= f`,
    naive: `select vip, date_trunc('week', ordered_at)::date, sum(amount) from orders o left join customers c on c.id = o.customer_id where ordered_at is not null group by 1, 2`,
  },
  {
    title: "a filter for rows with a time changes no running total",
    query: { measures: ["orders.running"], dimensions: [month], filters: ["orders.ordered IS NOT NULL"] },
    reference: `select m, (select sum(amount) from orders where ${before}) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, sum(sum(amount)) over (order by date_trunc('month', ordered_at)) from orders group by date_trunc('month', ordered_at)`,
  },
  {
    title: "a running total beside the month's own",
    query: {
      measures: ["orders.revenue", "orders.running"],
      dimensions: [month],
      filters: ["orders.ordered >= '2024-02-01'", "orders.ordered < '2024-06-01'"],
    },
    reference: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) = m), (select sum(amount) from orders where ${before}) from ${months} where m between '2024-02-01' and '2024-05-01'`,
    naive: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) = m), (select sum(amount) from orders where ${before} and ordered_at >= '2024-02-01') from ${months} where m between '2024-02-01' and '2024-05-01'`,
  },
];

export const toDateCases: readonly MetricCase[] = [
  {
    title: "a sum to date begins again with the year",
    query: { measures: ["sales.year_to_date"], dimensions: [{ field: "sales.sold", grain: "month", as: "month" }] },
    reference: `select m, (select sum(units) from sales where date_trunc('month', sold_on) <= m and date_trunc('year', sold_on) = date_trunc('year', m)) from (select unnest([date '2023-12-01', date '2024-01-01', date '2024-02-01']) m)`,
    naive: `select m, (select sum(units) from sales where date_trunc('month', sold_on) <= m) from (select unnest([date '2023-12-01', date '2024-01-01', date '2024-02-01']) m)`,
  },
  {
    title: "a count to date of the month, by day",
    query: {
      measures: ["orders.month_to_date"],
      dimensions: [{ field: "orders.ordered", grain: "day", as: "day" }],
      filters: ["orders.ordered >= '2024-03-25'", "orders.ordered <= '2024-04-10'"],
    },
    reference: `select d::date, (select count(*) from orders where ordered_at < d + interval 1 day and ordered_at >= date_trunc('month', d)) from (select unnest(generate_series(date '2024-03-25', date '2024-04-10', interval 1 day)) d)`,
    naive: `select d::date, (select count(*) from orders where ordered_at < d + interval 1 day and ordered_at >= '2024-03-25') from (select unnest(generate_series(date '2024-03-25', date '2024-04-10', interval 1 day)) d)`,
  },
  {
    title: "a sum to date of the quarter, by month",
    query: { measures: ["orders.quarter_to_date"], dimensions: [month] },
    reference: `select m, (select sum(amount) from orders where ${before} and date_trunc('quarter', ordered_at) = date_trunc('quarter', m)) from ${months}`,
    naive: `select m, (select sum(amount) from orders where ${before}) from ${months}`,
  },
  {
    title: "buyers to date of the year, by region, have the region's months",
    query: {
      measures: ["orders.year_buyers"],
      dimensions: ["regions.name", { field: "orders.ordered", grain: "quarter", as: "quarter" }],
    },
    reference: `select r, q::date, (select count(distinct o.customer_id) from orders o left join customers c on c.id = o.customer_id left join regions x on x.id = c.region_id where x.name is not distinct from r and date_trunc('quarter', ordered_at) <= q) from (select unnest([date '2024-01-01', date '2024-04-01']) q) join (select x.name r, min(date_trunc('quarter', ordered_at)) f from orders o left join customers c on c.id = o.customer_id left join regions x on x.id = c.region_id where ordered_at is not null group by 1) on q >= f`,
    naive: `select x.name, date_trunc('quarter', ordered_at)::date, count(distinct o.customer_id) from orders o left join customers c on c.id = o.customer_id left join regions x on x.id = c.region_id where ordered_at is not null group by 1, 2`,
  },
  {
    title: "a month to date by month is the month",
    query: { measures: ["orders.month_to_date", "orders.running_count"], dimensions: [month] },
    reference: `select m, (select count(*) from orders where date_trunc('month', ordered_at) = m), (select count(*) from orders where ${before}) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, count(*), sum(count(*)) over (order by date_trunc('month', ordered_at)) from orders where ordered_at is not null group by date_trunc('month', ordered_at)`,
  },
  {
    title: "a month to date by week is that of the last day of the week",
    query: {
      measures: ["orders.month_to_date"],
      dimensions: [{ field: "orders.ordered", grain: "week", as: "week" }],
      filters: ["orders.ordered >= '2024-01-01'", "orders.ordered < '2024-06-03'"],
    },
    reference: `select w::date, (select count(*) from orders where ordered_at < w + interval 7 day and ordered_at >= date_trunc('month', w + interval 6 day)) from (select unnest(generate_series(date '2024-01-01', date '2024-05-27', interval 7 day)) w)`,
    naive: `select w::date, (select count(*) from orders where ordered_at < w + interval 7 day and ordered_at >= date_trunc('month', w)) from (select unnest(generate_series(date '2024-01-01', date '2024-05-27', interval 7 day)) w)`,
  },
];

export const offsetCases: readonly MetricCase[] = [
  {
    title: "the change since the month before is null if one of both is missing",
    query: { measures: ["orders.month_change"], dimensions: [month], filters: ["orders.ordered >= '2024-01-01'"] },
    reference: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) = m) - (select sum(amount) from orders where date_trunc('month', ordered_at) = m - interval 1 month) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, sum(amount) - lag(sum(amount)) over (order by date_trunc('month', ordered_at)) from orders where ordered_at is not null group by date_trunc('month', ordered_at)`,
  },
  {
    title: "growth since the month before, of a count",
    query: { measures: ["orders.month_growth"], dimensions: [month], filters: ["orders.ordered >= '2024-01-01'"] },
    reference: `select m, (n - p)::double / p from (select m, (select count(*) from orders where date_trunc('month', ordered_at) = m) n, (select nullif(count(*), 0) from orders where date_trunc('month', ordered_at) = m - interval 1 month) p from ${months})`,
    naive: `select date_trunc('month', ordered_at)::date, count(*)::double / lag(count(*)) over (order by date_trunc('month', ordered_at)) - 1 from orders where ordered_at is not null group by date_trunc('month', ordered_at)`,
  },
  {
    title: "a filter on time does not hide the month before",
    query: {
      measures: ["orders.month_before", "orders.count"],
      dimensions: [month],
      filters: ["orders.ordered >= '2024-04-01'"],
    },
    reference: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) = m - interval 1 month), (select count(*) from orders where date_trunc('month', ordered_at) = m) from ${months} where m >= '2024-04-01'`,
    naive: `select m, (select sum(amount) from orders where ordered_at >= '2024-04-01' and date_trunc('month', ordered_at) = m - interval 1 month), (select count(*) from orders where date_trunc('month', ordered_at) = m) from ${months} where m >= '2024-04-01'`,
  },
  {
    title: "the closing balance of the month before",
    query: {
      measures: ["balances.closing_before"],
      dimensions: [{ field: "balances.day", grain: "month", as: "month" }],
    },
    reference: `select m, (select sum(balance) from (select balance, row_number() over (partition by account_id order by day desc) n from balances where date_trunc('month', day) = m - interval 1 month) where n = 1) from (select unnest([date '2024-01-01', date '2024-02-01', date '2024-03-01']) m)`,
    naive: `select m, (select sum(balance) from balances where date_trunc('month', day) = m - interval 1 month) from (select unnest([date '2024-01-01', date '2024-02-01', date '2024-03-01']) m)`,
  },
  {
    title: "the month before, by group",
    query: {
      measures: ["tickets.count_before", "tickets.count"],
      dimensions: ["tickets.priority", { field: "tickets.opened", grain: "month", as: "month" }],
    },
    reference: `select p, m, (select nullif(count(*), 0) from tickets where priority is not distinct from p and date_trunc('month', opened_on) = m - interval 1 month), (select count(*) from tickets where priority is not distinct from p and date_trunc('month', opened_on) = m) from (select unnest(generate_series(date '2024-01-01', date '2024-07-01', interval 1 month))::date m) join (select priority p, min(date_trunc('month', opened_on)) f from tickets group by 1) on m >= f`,
    naive: `select priority, date_trunc('month', opened_on)::date, lag(count(*)) over (partition by priority order by date_trunc('month', opened_on)), count(*) from tickets group by priority, date_trunc('month', opened_on)`,
  },
  {
    title: "an offset without a time is refused",
    query: { measures: ["orders.month_before"], dimensions: ["orders.status"] },
    refused: "invalid_query",
  },
];
