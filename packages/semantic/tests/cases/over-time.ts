import type { MetricCase } from "./case.ts";

const month = [{ field: "orders.ordered", grain: "month", as: "month" }] as const;
const months = `(select unnest(generate_series(date '2024-01-01', date '2024-06-01', interval 1 month))::date m)`;

const hours = `(select unnest(generate_series(timestamp '2024-03-31 00:00:00', timestamp '2024-12-31 23:00:00', interval 1 hour)) h)`;
const heard = `date_trunc('hour', happened)`;

/** Returns cases by hour. If a span dropped the time of day, hours before and after the start of a day would differ. */
function hourlyCases(): readonly MetricCase[] {
  const dimensions = [{ field: "signals.at", grain: "hour" as const, as: "hour" }];
  const sum = (bounds: string) => `select h, (select sum(value) from signals where ${bounds}) from ${hours}`;
  return [
    {
      title: "a window of a day before each hour has 24 hours",
      query: { measures: ["signals.day_value"], dimensions },
      reference: sum(`${heard} <= h and ${heard} > h - interval 1 day`),
      naive: sum(`${heard} <= h and ${heard} > (h - interval 1 day)::date`),
    },
    {
      title: "a window of months before each hour begins at its hour",
      query: { measures: ["signals.month_value"], dimensions },
      reference: sum(`${heard} <= h and ${heard} > h - interval 7 month`),
      naive: sum(`${heard} <= h and ${heard} > (h - interval 7 month)::date`),
    },
    {
      title: "the hour a day before is at the same time of day",
      query: { measures: ["signals.day_before"], dimensions },
      reference: sum(`${heard} = h - interval 1 day`),
      naive: sum(`${heard} = (h - interval 1 day)::date`),
    },
  ];
}

export const overTimeCases: readonly MetricCase[] = [
  {
    title: "a running total has a row for a month without orders",
    query: { measures: ["orders.running"], dimensions: [...month] },
    reference: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) <= m) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, sum(sum(amount)) over (order by date_trunc('month', ordered_at)) from orders where ordered_at is not null group by date_trunc('month', ordered_at)`,
  },
  {
    title: "running buyers count each customer once over all months",
    query: { measures: ["orders.running_buyers"], dimensions: [...month] },
    reference: `select m, (select count(distinct customer_id) from orders where date_trunc('month', ordered_at) <= m) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, sum(count(distinct customer_id)) over (order by date_trunc('month', ordered_at)) from orders group by date_trunc('month', ordered_at)`,
  },
  {
    title: "a filter on time cuts a running total, and not what it adds",
    query: { measures: ["orders.running"], dimensions: [...month], filters: ["orders.ordered >= '2024-04-01'"] },
    reference: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) <= m) from ${months} where m >= '2024-04-01'`,
    naive: `select m, (select sum(amount) from orders where ordered_at >= '2024-04-01' and date_trunc('month', ordered_at) <= m) from ${months} where m >= '2024-04-01'`,
  },
  {
    title: "the month before an order may be a month without any",
    query: {
      measures: ["orders.revenue", "orders.month_before"],
      dimensions: [...month],
      filters: ["orders.ordered >= '2024-01-01'"],
    },
    reference: `select m, (select sum(amount) from orders where date_trunc('month', ordered_at) = m), (select sum(amount) from orders where date_trunc('month', ordered_at) = m - interval 1 month) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, sum(amount), lag(sum(amount)) over (order by date_trunc('month', ordered_at)) from orders where ordered_at is not null group by date_trunc('month', ordered_at)`,
  },
  {
    title: "missing months are filled between the first and the last",
    query: {
      measures: ["orders.count"],
      dimensions: [...month],
      filters: ["orders.ordered >= '2024-01-01'"],
      fillMissing: true,
    },
    reference: `select m, (select count(*) from orders where date_trunc('month', ordered_at) = m) from ${months}`,
    naive: `select date_trunc('month', ordered_at)::date, count(*) from orders where ordered_at is not null group by 1`,
  },
  ...hourlyCases(),
  {
    title: "a bound within a month is refused for a running total by month",
    query: { measures: ["orders.running"], dimensions: [...month], filters: ["orders.ordered >= '2024-04-15'"] },
    refused: "ambiguous_question",
  },
  {
    title: "a segment of rows holds for a running total",
    query: { measures: ["orders.running"], dimensions: [...month], filters: [{ segment: "orders.large" }] },
    reference: `select m, (select sum(amount) from orders where amount >= 50 and date_trunc('month', ordered_at) <= m) from (select unnest([date '2024-01-01', date '2024-02-01', date '2024-03-01', date '2024-04-01']) m)`,
    naive: `select date_trunc('month', ordered_at)::date, sum(sum(amount)) over (order by date_trunc('month', ordered_at)) from orders where amount >= 50 group by date_trunc('month', ordered_at)`,
  },
  {
    title: "a filter on the date of one of two running totals is refused",
    query: {
      measures: ["orders.running", "orders.running_count"],
      dimensions: [{ time: { running: "orders.ordered", running_count: "orders.shipped" }, grain: "month" }],
      filters: ["orders.ordered >= '2024-02-01'"],
    },
    refused: "ambiguous_question",
  },
  {
    title: "a segment is refused where it could hide a bound of time from a running total",
    query: { measures: ["orders.running"], dimensions: [...month], filters: [{ segment: "orders.since_april" }] },
    refused: "unsupported",
  },
];
