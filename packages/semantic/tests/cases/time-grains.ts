import type { MetricCase } from "./case.ts";

export const grainCases: readonly MetricCase[] = [
  {
    title: "months of two years are two groups",
    query: { measures: ["sales.units"], dimensions: [{ field: "sales.sold", grain: "month" }] },
    reference: `select date_trunc('month', sold_on)::date, sum(units) from sales group by 1`,
    naive: `select make_date(2024, month(sold_on), 1), sum(units) from sales group by 1`,
  },
  {
    title: "quarters begin with their first day, and rows without a date have their group",
    query: { measures: ["orders.count"], dimensions: [{ field: "orders.shipped", grain: "quarter" }] },
    reference: `select date_trunc('quarter', shipped_on)::date, count(*) from orders group by 1`,
    naive: `select date_trunc('quarter', shipped_on)::date, count(*) from orders where shipped_on is not null group by 1`,
  },
  {
    title: "years of a date that is stored by day",
    query: { measures: ["customers.count"], dimensions: [{ field: "customers.joined", grain: "year" }] },
    reference: `select date_trunc('year', joined)::date, count(*) from customers group by 1`,
    naive: `select joined, count(*) from customers group by 1`,
  },
  {
    title: "hours are those of one day each",
    query: { measures: ["orders.count"], dimensions: [{ field: "orders.ordered", grain: "hour" }] },
    reference: `select date_trunc('hour', ordered_at), count(*) from orders group by 1`,
    naive: `select date_trunc('hour', ordered_at + interval 30 minute), count(*) from orders group by 1`,
  },
  {
    title: "an hour of a date that is stored by day is refused",
    query: { measures: ["customers.count"], dimensions: [{ field: "customers.joined", grain: "hour" }] },
    refused: "invalid_query",
  },
  {
    title: "one time by two grains",
    query: {
      measures: ["orders.revenue"],
      dimensions: [
        { field: "orders.ordered", grain: "quarter", as: "quarter" },
        { field: "orders.ordered", grain: "month", as: "month" },
      ],
    },
    reference: `select date_trunc('quarter', ordered_at)::date, date_trunc('month', ordered_at)::date, sum(amount) from orders group by 1, 2`,
    naive: `select date_trunc('quarter', ordered_at)::date, date_trunc('quarter', ordered_at)::date, sum(amount) from orders group by 1, 2`,
  },
];

export const weekCases: readonly MetricCase[] = [
  {
    title: "weeks start on Monday",
    query: { measures: ["orders.count"], dimensions: [{ field: "orders.ordered", grain: "week" }] },
    reference: `select date_trunc('week', ordered_at)::date, count(*) from orders group by 1`,
    naive: `select (date_trunc('week', ordered_at + interval 1 day) - interval 1 day)::date, count(*) from orders group by 1`,
  },
  {
    title: "weeks start on Sunday if the query says so",
    query: {
      measures: ["orders.count"],
      dimensions: [{ field: "orders.ordered", grain: "week" }],
      weekStart: "sunday",
    },
    reference: `select (date_trunc('week', ordered_at + interval 1 day) - interval 1 day)::date, count(*) from orders group by 1`,
    naive: `select date_trunc('week', ordered_at)::date, count(*) from orders group by 1`,
  },
  {
    title: "weeks start on Saturday, for dates",
    query: {
      measures: ["tickets.minutes"],
      dimensions: [{ field: "tickets.opened", grain: "week" }],
      weekStart: "saturday",
    },
    reference: `select opened_on - ((isodow(opened_on) + 1) % 7)::integer, sum(minutes) from tickets group by 1`,
    naive: `select date_trunc('week', opened_on)::date, sum(minutes) from tickets group by 1`,
  },
  {
    title: "a week over the end of a year is one",
    query: { measures: ["sales.units"], dimensions: [{ field: "sales.sold", grain: "week" }] },
    reference: `select date_trunc('week', sold_on)::date, sum(units) from sales group by 1`,
    naive: `select make_date(year(sold_on), 1, 1) + (7 * (dayofyear(sold_on) // 7))::integer, sum(units) from sales group by 1`,
  },
  {
    title: "weeks without rows are filled from their first day",
    query: {
      measures: ["tickets.count"],
      dimensions: [{ field: "tickets.opened", grain: "week" }],
      weekStart: "sunday",
      filters: ["tickets.opened <= '2024-03-05'"],
      fillMissing: true,
    },
    reference: `select w::date, (select count(*) from tickets where opened_on <= '2024-03-05' and opened_on - (isodow(opened_on) % 7)::integer = w::date) from (select unnest(generate_series(date '2024-01-07', date '2024-03-03', interval 7 day)) w)`,
    naive: `select opened_on - (isodow(opened_on) % 7)::integer, count(*) from tickets where opened_on <= '2024-03-05' group by 1`,
  },
];

const inZone = (zone: string) => `((happened at time zone 'UTC') at time zone '${zone}')`;

export const zoneCases: readonly MetricCase[] = [
  {
    title: "days of Berlin, on both sides of summer time",
    query: {
      measures: ["signals.value"],
      dimensions: [{ field: "signals.at", grain: "day" }],
      timezone: "Europe/Berlin",
    },
    reference: `select ${inZone("Europe/Berlin")}::date, sum(value) from signals group by 1`,
    naive: `select (happened + interval 1 hour)::date, sum(value) from signals group by 1`,
  },
  {
    title: "the hour that Berlin has twice is one group of its clock",
    query: {
      measures: ["signals.value", "signals.count"],
      dimensions: [{ field: "signals.at", grain: "hour" }],
      timezone: "Europe/Berlin",
    },
    reference: `select date_trunc('hour', ${inZone("Europe/Berlin")}), sum(value), count(*) from signals group by 1`,
    naive: `select date_trunc('hour', happened + interval 2 hour), sum(value), count(*) from signals group by 1`,
  },
  {
    title: "a zone whose offset has minutes",
    query: {
      measures: ["signals.value"],
      dimensions: [{ field: "signals.at", grain: "day" }],
      timezone: "Asia/Kathmandu",
    },
    reference: `select (happened + interval 345 minute)::date, sum(value) from signals group by 1`,
    naive: `select happened::date, sum(value) from signals group by 1`,
  },
  {
    title: "a year of New York begins five hours later",
    query: {
      measures: ["orders.revenue"],
      dimensions: [{ field: "orders.ordered", grain: "year" }],
      timezone: "America/New_York",
    },
    reference: `select date_trunc('year', ordered_at - interval 5 hour)::date, sum(amount) from orders group by 1`,
    naive: `select date_trunc('year', ordered_at)::date, sum(amount) from orders group by 1`,
  },
  {
    title: "the bounds of a filter are the wall clock of the zone too",
    query: { measures: ["signals.value"], filters: ["signals.at <= '2024-03-31'"], timezone: "Europe/Berlin" },
    reference: `select sum(value) from signals where happened < '2024-03-31 22:00:00'`,
    naive: `select sum(value) from signals where happened < '2024-04-01'`,
  },
  {
    title: "dates have no zone",
    query: {
      measures: ["tickets.count"],
      dimensions: [{ field: "tickets.opened", grain: "month" }],
      timezone: "America/New_York",
    },
    reference: `select date_trunc('month', opened_on)::date, count(*) from tickets group by 1`,
    naive: `select date_trunc('month', opened_on::timestamp - interval 5 hour)::date, count(*) from tickets group by 1`,
  },
  {
    title: "a zone that does not exist is refused",
    query: { measures: ["signals.value"], timezone: "Europe/Atlantis" },
    refused: "invalid_value",
  },
];

const span = (from: string, to: string) =>
  `(select unnest(generate_series(date '${from}', date '${to}', interval 1 month))::date m)`;

export const spineCases: readonly MetricCase[] = [
  {
    title: "months without orders count 0 and have no sum",
    query: {
      measures: ["orders.count", "orders.revenue"],
      dimensions: [{ field: "orders.ordered", grain: "month" }],
      filters: ["orders.ordered >= '2024-01-01'"],
      fillMissing: true,
    },
    reference: `select m, count(o.id), sum(amount) from ${span("2024-01-01", "2024-06-01")} left join orders o on date_trunc('month', ordered_at) = m group by 1`,
    naive: `select date_trunc('month', ordered_at)::date, count(*), sum(amount) from orders where ordered_at >= '2024-01-01' group by 1`,
  },
  {
    title: "a spine reaches past the data on both sides",
    query: {
      measures: ["orders.count"],
      dimensions: [{ field: "orders.ordered", grain: "month" }],
      filters: ["orders.ordered >= '2024-01-01'"],
      fillMissing: true,
      spine: { from: "2023-11-15", to: "2024-08-01" },
    },
    reference: `select m, count(o.id) from ${span("2023-11-01", "2024-08-01")} left join orders o on date_trunc('month', ordered_at) = m group by 1`,
    naive: `select m, count(o.id) from ${span("2024-01-01", "2024-06-01")} left join orders o on date_trunc('month', ordered_at) = m group by 1`,
  },
  {
    title: "a spine alone has its months, also those without rows, and no others",
    query: {
      measures: ["orders.count", "orders.running_count"],
      dimensions: [{ field: "orders.ordered", grain: "month" }],
      spine: { from: "2024-03-15", to: "2024-08-01" },
    },
    reference: `select m, count(o.id), (select count(*) from orders where date_trunc('month', ordered_at) <= m) from ${span("2024-03-01", "2024-08-01")} left join orders o on date_trunc('month', ordered_at) = m group by 1`,
    naive: `select date_trunc('month', ordered_at)::date, count(*), sum(count(*)) over (order by date_trunc('month', ordered_at)) from orders where ordered_at >= '2024-03-01' group by 1, date_trunc('month', ordered_at)`,
  },
  {
    title: "the total of a spine is that of its months",
    query: {
      measures: ["orders.count", "orders.buyers"],
      dimensions: [{ field: "orders.ordered", grain: "month" }],
      spine: { from: "2024-01-15", to: "2024-03-01" },
      totals: true,
    },
    reference: `select m, count(o.id), count(distinct customer_id) from ${span("2024-01-01", "2024-03-01")} left join orders o on date_trunc('month', ordered_at) = m group by 1`,
    naive: `select date_trunc('month', ordered_at)::date, count(*), count(distinct customer_id) from orders where ordered_at >= '2024-01-15' and ordered_at <= '2024-03-01' group by 1`,
    totals: `select count(*), count(distinct customer_id) from orders where ordered_at >= '2024-01-01' and ordered_at < '2024-04-01'`,
  },
  {
    title: "the total of a spine over two facts has the months of each",
    query: {
      measures: ["orders.count", "tickets.count"],
      dimensions: [{ time: { orders: "orders.ordered", tickets: "tickets.opened" }, grain: "month" }],
      spine: { from: "2024-01-01", to: "2024-02-29" },
      totals: true,
    },
    reference: `select m, (select count(*) from orders where date_trunc('month', ordered_at) = m), (select count(*) from tickets where date_trunc('month', opened_on) = m) from ${span("2024-01-01", "2024-02-01")}`,
    naive: `select m, (select count(*) from orders where ordered_at <= '2024-02-29' and date_trunc('month', ordered_at) = m), 1 from ${span("2024-01-01", "2024-02-01")}`,
    totals: `select (select count(*) from orders where ordered_at >= '2024-01-01' and ordered_at < '2024-03-01'), (select count(*) from tickets where opened_on >= '2024-01-01' and opened_on < '2024-03-01')`,
  },
  {
    title: "a spine without a time is refused",
    query: { measures: ["orders.count"], spine: { from: "2024-03-15", to: "2024-08-01" } },
    refused: "invalid_query",
  },
  {
    title: "each group has all months",
    query: {
      measures: ["orders.count"],
      dimensions: ["orders.status", { field: "orders.ordered", grain: "month" }],
      filters: ["orders.ordered >= '2024-01-01'"],
      fillMissing: true,
    },
    reference: `select s, m, count(o.id) from ${span("2024-01-01", "2024-06-01")} cross join (select distinct status s from orders where ordered_at is not null) left join orders o on date_trunc('month', ordered_at) = m and status is not distinct from s group by 1, 2`,
    naive: `select s, m, count(o.id) from ${span("2024-01-01", "2024-06-01")} cross join (select distinct status s from orders where ordered_at is not null) left join orders o on date_trunc('month', ordered_at) = m and status = s group by 1, 2`,
  },
  {
    title: "two facts share the months from the first to the last of both",
    query: {
      measures: ["orders.count", "tickets.count"],
      dimensions: [{ time: { orders: "orders.ordered", tickets: "tickets.opened" }, grain: "month" }],
      fillMissing: true,
    },
    reference: `select m, (select count(*) from orders where date_trunc('month', ordered_at) is not distinct from m), (select count(*) from tickets where date_trunc('month', opened_on) = m) from (select m from ${span("2024-01-01", "2024-07-01")} union all select null)`,
    naive: `select m, count(distinct o.id), count(distinct t.id) from ${span("2024-01-01", "2024-06-01")} left join orders o on date_trunc('month', ordered_at) = m left join tickets t on date_trunc('month', opened_on) = m group by 1`,
  },
  {
    title: "a spine that is no date is refused",
    query: {
      measures: ["orders.count"],
      dimensions: [{ field: "orders.ordered", grain: "month" }],
      fillMissing: true,
      spine: { from: "2024-01", to: "2024-08-01" },
    },
    refused: "invalid_value",
  },
  {
    title: "groups without rows have all periods, too",
    query: {
      measures: ["orders.count"],
      dimensions: ["regions.name", { field: "orders.ordered", grain: "quarter" }],
      filters: ["orders.ordered >= '2024-01-01'"],
      fillMissing: true,
      includeEmpty: true,
    },
    reference: `select r, q::date, count(id) from (select unnest([date '2024-01-01', date '2024-04-01']) q) cross join (select name r from regions union all select null) left join (select o.id, ordered_at, x.name from orders o left join customers c on c.id = o.customer_id left join regions x on x.id = c.region_id where ordered_at is not null) on date_trunc('quarter', ordered_at) = q and name is not distinct from r group by 1, 2`,
    naive: `select x.name, date_trunc('quarter', ordered_at)::date, count(o.id) from regions x left join customers c on x.id = c.region_id left join orders o on c.id = o.customer_id group by 1, 2`,
  },
];
