import type { MetricCase } from "./case.ts";

const at = (zone: string, column = "happened") => `((${column} at time zone 'UTC') at time zone '${zone}')`;
const angeles = "America/Los_Angeles";

/** Time zones in measures, in filters over columns, and with times before 1970. */
export const momentCases: readonly MetricCase[] = [
  {
    title: "days of New York before 1970 have the summer time of their year",
    query: {
      measures: ["archive.value"],
      dimensions: [{ field: "archive.at", grain: "day" }],
      timezone: "America/New_York",
    },
    reference: `select ${at("America/New_York")}::date, sum(value) from archive group by 1`,
    naive: `select (happened - interval 5 hour)::date, sum(value) from archive group by 1`,
  },
  {
    title: "hours of Berlin have its double summer time of 1947",
    query: {
      measures: ["archive.value"],
      dimensions: [{ field: "archive.at", grain: "hour" }],
      timezone: "Europe/Berlin",
    },
    reference: `select date_trunc('hour', ${at("Europe/Berlin")}), sum(value) from archive group by 1`,
    naive: `select date_trunc('hour', happened + interval 1 hour), sum(value) from archive group by 1`,
  },
  {
    title: "a measure counts the days of the zone",
    query: { measures: ["archive.days", "archive.inline_days"], timezone: angeles },
    reference: `select count(distinct ${at(angeles)}::date), count(distinct ${at(angeles)}::date) from archive`,
    naive: `select count(distinct happened::date) - 1, count(distinct happened::date) - 1 from archive`,
  },
  {
    title: "the least and greatest moments are those of the zone",
    query: { measures: ["archive.first", "archive.last"], timezone: "Asia/Kolkata" },
    reference: `select min(${at("Asia/Kolkata")}), max(${at("Asia/Kolkata")}) from archive`,
    naive: `select min(happened), max(happened) from archive`,
  },
  {
    title: "a measure, its filter and a segment over a column have the hours of the zone",
    query: {
      measures: ["archive.hours", "archive.evenings", "archive.evenings_too"],
      dimensions: [],
      timezone: angeles,
    },
    reference: `select sum(hour(${at(angeles)})), count(*) filter (hour(${at(angeles)}) >= 18), count(*) filter (hour(${at(angeles)}) >= 18) from archive`,
    naive: `select sum(hour(happened)), count(*) filter (hour(happened) >= 18), count(*) filter (hour(happened) >= 18) from archive`,
  },
  {
    title: "a segment over a column has the hours of the zone",
    query: { measures: ["archive.value"], filters: [{ segment: "archive.evening" }], timezone: angeles },
    reference: `select sum(value) from archive where hour(${at(angeles)}) >= 18`,
    naive: `select sum(value) from archive where hour(happened) >= 18`,
  },
  {
    title: "the bound of a measure's filter over a column is that of the zone",
    query: { measures: ["archive.since_july"], timezone: angeles },
    reference: `select count(*) from archive where ${at(angeles)} >= '1965-07-01'`,
    naive: `select count(*) from archive where happened >= '1965-07-01'`,
  },
  {
    title: "a moment on the day of a date is not after it at midnight",
    query: { measures: ["people.late", "people.on_time"] },
    reference: `select count(*) filter (seen > due::timestamp), count(*) filter (seen = due::timestamp) from people`,
    naive: `select count(*) filter (seen::text > due::text), count(*) filter (seen::text = due::text) from people`,
  },
  {
    title: "a moment and a date are compared by the wall clock of the zone",
    query: { measures: ["people.count"], dimensions: ["people.is_late"], timezone: angeles },
    reference: `select ${at(angeles, "seen")} > due::timestamp, count(*) from people group by 1`,
    naive: `select seen > due::timestamp, count(*) from people group by 1`,
  },
  {
    title: "a date in place of a moment is its midnight of the wall clock",
    query: { measures: ["people.count"], dimensions: ["people.when"], timezone: angeles },
    reference: `select coalesce(due::timestamp, ${at(angeles, "seen")}), count(*) from people group by 1`,
    naive: `select coalesce(due::timestamp, seen), count(*) from people group by 1`,
  },
  {
    title: "days between a date and a moment are those of the zone",
    query: { measures: ["people.count"], dimensions: ["people.waited"], timezone: angeles },
    reference: `select date_diff('day', due, ${at(angeles, "seen")}::date), count(*) from people group by 1`,
    naive: `select date_diff('day', due, seen::date), count(*) from people group by 1`,
  },
  {
    title: "days in a list are dates",
    query: { measures: ["people.count"], filters: ["people.due IN ('2024-02-29', '2021-01-03')"] },
    reference: `select count(*) from people where due in (date '2024-02-29', date '2021-01-03')`,
    naive: `select count(*) from people where seen::date in (date '2024-02-29', date '2021-01-03')`,
  },
  {
    title: "days and moments in a list mean whole days and moments",
    query: { measures: ["people.count"], filters: ["people.seen IN ('2024-01-31', '2024-03-01 07:59:59')"] },
    reference: `select count(*) from people where seen::date = '2024-01-31' or seen = '2024-03-01 07:59:59'`,
    naive: `select count(*) from people where seen in ('2024-01-31', '2024-03-01 07:59:59')`,
  },
];
