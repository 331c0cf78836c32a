import type { MetricCase } from "./case.ts";

const month = [{ field: "orders.ordered", grain: "month", as: "month" }] as const;
const months = `(select unnest(generate_series(date '2024-01-01', date '2024-06-01', interval 1 month))::date m)`;

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
  {
    title: "a bound within a month is refused for a running total by month",
    query: { measures: ["orders.running"], dimensions: [...month], filters: ["orders.ordered >= '2024-04-15'"] },
    refused: "ambiguous_question",
  },
];

export const semiAdditiveCases: readonly MetricCase[] = [
  {
    title: "closing balances by month take the last of each account",
    query: { measures: ["balances.closing"], dimensions: [{ field: "balances.day", grain: "month" }] },
    reference: `select m, sum(balance) from (select date_trunc('month', day)::date m, balance, rank() over (partition by account_id, date_trunc('month', day) order by day desc) n from balances) where n = 1 group by 1`,
    naive: `select date_trunc('month', day)::date, sum(balance) from balances group by 1`,
  },
  {
    title: "closing balances by kind add up to their total",
    query: { measures: ["balances.closing"], dimensions: ["accounts.kind"] },
    reference: `select a.kind, sum(b.balance) from balances b join accounts a on a.id = b.account_id where b.day = (select max(day) from balances x where x.account_id = b.account_id) group by 1`,
    naive: `select a.kind, sum(b.balance) from balances b join accounts a on a.id = b.account_id group by 1`,
  },
  {
    title: "a filter of a semi-additive measure holds before the last row is taken",
    query: { measures: ["balances.open_closing"] },
    reference: `select sum(balance) from (select balance, rank() over (partition by account_id order by day desc) n from balances where open) where n = 1`,
    naive: `select sum(balance) from (select balance, open, rank() over (partition by account_id order by day desc) n from balances) where n = 1 and open`,
  },
];
