import type { MetricCase } from "./case.ts";

const inNewYork = `(ordered_at at time zone 'UTC') at time zone 'America/New_York'`;

export const zoneExpressionCases: readonly MetricCase[] = [
  {
    title: "the day that a dimension computes is one of the zone",
    query: {
      measures: ["orders.count"],
      dimensions: [{ field: "orders.day", grain: "month" }],
      timezone: "America/New_York",
    },
    reference: `select date_trunc('month', ${inNewYork})::date, count(*) from orders group by 1`,
    naive: `select date_trunc('month', ordered_at)::date, count(*) from orders group by 1`,
  },
  {
    title: "the hour that a dimension computes is one of the zone",
    query: { measures: ["orders.count"], dimensions: ["orders.hour"], timezone: "America/New_York" },
    reference: `select hour(${inNewYork}), count(*) from orders group by 1`,
    naive: `select hour(ordered_at), count(*) from orders group by 1`,
  },
  {
    title: "a filter on the hour that a dimension computes is one of the zone",
    query: { measures: ["orders.count"], filters: ["orders.hour >= 18"], timezone: "America/New_York" },
    reference: `select count(*) from orders where hour(${inNewYork}) >= 18`,
    naive: `select count(*) from orders where hour(ordered_at) >= 18`,
  },
  {
    title: "the start of an hour in a zone with half hours",
    query: { measures: ["orders.count"], dimensions: ["orders.full_hour"], timezone: "Asia/Kolkata" },
    reference: `select date_trunc('hour', ordered_at + interval 330 minute), count(*) from orders group by 1`,
    naive: `select date_trunc('hour', ordered_at) + interval 330 minute, count(*) from orders group by 1`,
  },
  {
    title: "a moment that is composed of hours and others is one of the zone",
    query: { measures: ["orders.count"], dimensions: ["orders.some_hour"], timezone: "Asia/Kolkata" },
    reference: `select coalesce(date_trunc('hour', ordered_at + interval 330 minute), ordered_at + interval 330 minute), count(*) from orders group by 1`,
    naive: `select coalesce(date_trunc('hour', ordered_at), ordered_at) + interval 330 minute, count(*) from orders group by 1`,
  },
];
