import { compileMetricQuery, ModelSet } from "@bridle/semantic";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comparableRow, sortedRows } from "../../semantic/tests/comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../../semantic/tests/engines.ts";
import { columnFacts, type TestTable } from "../../semantic/tests/table-data.ts";
import { importMetricFlow } from "../src/metricflow/import-metricflow.ts";
import type { MetricFlowQuery } from "../src/metricflow/queries/metricflow-query.ts";
import { ridesYaml, rideTables } from "./rides.ts";

const firstDay = Date.UTC(2023, 11, 15);
const dayTable: TestTable = {
  name: "days",
  columns: { day: "date", season: "text" },
  key: ["day"],
  rows: Array.from({ length: 120 }, (_, index) => {
    const day = new Date(firstDay + index * 86_400_000).toISOString().slice(0, 10);
    return [day, day < "2024-01-03" ? "early" : "late"];
  }),
};
/** Tables without keys, in which one caller calls twice and orders twice on the same day. */
const callTables: readonly TestTable[] = [
  {
    name: "calls",
    columns: { caller_id: "integer", day: "date", topic: "text" },
    key: [],
    rows: [
      [1, "2024-01-01", "price"],
      [1, "2024-01-01", "price"],
      [1, "2024-01-04", "fault"],
      [2, "2024-01-02", "price"],
      [3, "2024-01-05", "fault"],
    ],
  },
  {
    name: "call_orders",
    columns: { caller_id: "integer", day: "date", subject: "text" },
    key: [],
    rows: [
      [1, "2024-01-02", "price"],
      [1, "2024-01-02", "price"],
      [1, "2024-01-05", "price"],
      [2, "2024-01-09", "price"],
    ],
  },
];
/** Rows of returned goods. The last one is in the last hour of the days. */
const returned: TestTable = {
  name: "returned",
  columns: { id: "integer", returned_at: "timestamp" },
  key: ["id"],
  rows: [
    [1, "2024-01-01 03:59:59"],
    [2, "2024-01-01 23:30:00"],
    [3, "2024-04-12 23:00:00"],
  ],
};
/** The makers' terms, each from one day until before another day. */
const terms: TestTable = {
  name: "terms",
  columns: { maker_id: "integer", term: "text", since: "date", until: "date" },
  key: [],
  rows: [
    [1, "rent", "2023-06-01", "2024-01-03"],
    [1, "sale", "2024-01-03", null],
    [2, "rent", "2024-02-03", null],
  ],
};
const tables = [...rideTables, ...callTables, dayTable, returned, terms];

const moreYaml = `models:
  - name: days
    time_spine:
      standard_granularity_column: day
      custom_granularities: [{ name: season }]
    columns: [{ name: day, granularity: day }]
semantic_models:
  - name: calls
    model: ref('calls')
    primary_entity: call
    defaults: { agg_time_dimension: call_day }
    entities: [{ name: caller, type: foreign, expr: caller_id }]
    dimensions:
      - { name: call_day, expr: day, type: time, type_params: { time_granularity: day } }
      - { name: topic, type: categorical }
    measures: [{ name: calls, agg: count, expr: 1 }]
  - name: call_orders
    model: ref('call_orders')
    primary_entity: call_order
    defaults: { agg_time_dimension: order_day }
    entities: [{ name: caller, type: foreign, expr: caller_id }]
    dimensions:
      - { name: order_day, expr: day, type: time, type_params: { time_granularity: day } }
      - { name: subject, type: categorical }
    measures: [{ name: call_orders, agg: count, expr: 1 }]
  - name: terms
    model: ref('terms')
    entities: [{ name: maker, type: natural, expr: maker_id }]
    dimensions:
      - { name: term, type: categorical }
      - { name: since, type: time, type_params: { time_granularity: day, validity_params: { is_start: true } } }
      - { name: until, type: time, type_params: { time_granularity: day, validity_params: { is_end: true } } }
  - name: returned
    model: ref('returned')
    defaults: { agg_time_dimension: returned_at }
    entities: [{ name: returned, type: primary, expr: id }]
    dimensions: [{ name: returned_at, type: time, type_params: { time_granularity: hour } }]
    measures: [{ name: returns, agg: count, expr: 1, create_metric: true }]
metrics:
  - { name: fares_each_day, type: simple, type_params: { measure: { name: fares, join_to_timespine: true } } }
  - name: calls_that_become_orders
    type: conversion
    type_params:
      conversion_type_params: { base_measure: calls, conversion_measure: call_orders, entity: caller, window: 5 days }
  - name: calls_that_become_orders_of_their_topic
    type: conversion
    type_params:
      conversion_type_params:
        base_measure: calls
        conversion_measure: { name: call_orders, fill_nulls_with: 0 }
        entity: caller
        calculation: conversions
        constant_properties: [{ base_property: topic, conversion_property: subject }]
  - { name: fares_of_frequent, type: simple, type_params: { measure: fares }, filter: "{{ Metric('rides', ['rider']) }} > 1" }
  - { name: fares_by_month, type: simple, time_granularity: month, type_params: { measure: fares } }
  - name: fares_of_two_days_each_day
    type: cumulative
    type_params: { measure: { name: fares, join_to_timespine: true, fill_nulls_with: 0 }, window: 2 days }
  - { name: week_last, type: cumulative, type_params: { measure: fares, cumulative_type_params: { window: 7 days, period_agg: last } } }
  - { name: week_average, type: cumulative, type_params: { measure: fares, cumulative_type_params: { window: 7 days, period_agg: average } } }
  - { name: running_by_month, type: cumulative, time_granularity: month, type_params: { measure: fares } }
  - { name: hour_ago, type: derived, type_params: { expr: r, metrics: [{ name: returns, offset_window: 1 hour, alias: r }] } }
  - { name: three_days_ago, type: derived, type_params: { expr: f, metrics: [{ name: fares, offset_window: 3 days, alias: f }] } }
  - { name: five_days_ago, type: derived, type_params: { expr: 1 * three_days_ago, metrics: [{ name: three_days_ago, offset_window: 2 days }] } }
  - { name: month_ago, type: derived, type_params: { expr: f, metrics: [{ name: fares, offset_window: 1 month, alias: f }] } }
  - { name: month_and_day_ago, type: derived, type_params: { expr: f, metrics: [{ name: month_ago, offset_window: 1 day, alias: f }] } }
  - { name: at_start, type: derived, type_params: { expr: f, metrics: [{ name: fares, offset_to_grain: month, alias: f }] } }
  - { name: week_a_day_ago, type: derived, type_params: { expr: f, metrics: [{ name: fares_of_week, offset_window: 1 day, alias: f }] } }
`;

let engines: readonly TestEngine[] = [];
const files = [
  { file: "rides.yml", text: ridesYaml },
  { file: "more.yml", text: moreYaml },
];
const imported = importMetricFlow(files, { schema: "main" });
const columns = Object.fromEntries(tables.map((table) => [table.name, columnFacts(table)]));

beforeAll(async () => {
  engines = await startLocalEngines();
  for (const engine of engines) await engine.load(tables);
});

afterAll(async () => {
  for (const engine of engines) await engine.close();
});

const fareBefore = (shift: string) =>
  `select d.day, sum(fare) from days d join rides r on r.day = d.day - interval ${shift} group by 1`;
const ofPeriod = (key: string) =>
  `select ${key}, sum(fare) from days d join rides r on r.day = d.day - interval 3 day group by 1`;
const week = "r.day > d.day - interval 7 day and r.day <= d.day";

const cases: readonly (readonly [title: string, query: MetricFlowQuery, sql: string])[] = [
  [
    "days ago, also after the last ride",
    { metrics: ["three_days_ago"], groupBy: ["metric_time"] },
    fareBefore("3 day"),
  ],
  ["days ago of days ago", { metrics: ["five_days_ago"], groupBy: ["metric_time"] }, fareBefore("5 day")],
  [
    "a month ago, on each day of the longer month",
    { metrics: ["month_ago"], groupBy: ["metric_time"] },
    fareBefore("1 month"),
  ],
  [
    "a month before yesterday",
    { metrics: ["month_and_day_ago"], groupBy: ["metric_time"] },
    "select d.day, sum(fare) from days d join rides r on r.day = (d.day - interval 1 day) - interval 1 month group by 1",
  ],
  [
    "the start of the month",
    { metrics: ["at_start"], groupBy: ["ride__ride_day__day"] },
    "select d.day, sum(fare) from days d join rides r on r.day = date_trunc('month', d.day) group by 1",
  ],
  [
    "an hour ago, up to the end of the time spine",
    { metrics: ["hour_ago"], groupBy: ["metric_time"] },
    "select returned_at::date + case when hour(returned_at) = 23 then 1 else 0 end, count(*) from returned where returned_at < '2024-04-12 23:00:00' group by 1",
  ],
  [
    "a natural entity behind another model, with the row that was valid at the time of the ride",
    { metrics: ["rides"], groupBy: ["bike__maker__term"] },
    "select term, count(*) from rides r left join bikes b on b.id = r.bike_id left join terms t on t.maker_id = b.maker_id and r.day >= since and (r.day < until or until is null) group by 1",
  ],
  [
    "a filter on a natural entity behind another model",
    { metrics: ["fares"], where: ["{{ Dimension('maker__term', entity_path=['bike']) }} = 'sale'"] },
    "select sum(fare) from rides r left join bikes b on b.id = r.bike_id where maker_id = 1 and day >= '2024-01-03'",
  ],
  ...(["first", "last"] as const).map((pick): (typeof cases)[number] => [
    `a window by month, with the ${pick} day that has rows in it`,
    { metrics: [pick === "first" ? "fares_of_week" : "week_last"], groupBy: ["metric_time__month"] },
    `select date_trunc('month', d), ${pick === "first" ? "arg_min_null" : "arg_max_null"}(v, d) from (select d.day d, sum(fare) v from days d join rides r on ${week} group by 1) group by 1`,
  ]),
  [
    "a window by year, with the average of its days",
    { metrics: ["week_average"], groupBy: ["metric_time__year"] },
    `select date_trunc('year', d), avg(v) from (select d.day d, sum(fare) v from days d join rides r on ${week} group by 1) group by 1`,
  ],
  [
    "a window by month and a dimension",
    { metrics: ["fares_of_week"], groupBy: ["metric_time__month", "ride__is_dear"] },
    `select date_trunc('month', d), c, arg_min_null(v, d) from (select d.day d, case when fare > 5 then 'yes' else 'no' end c, sum(fare) v from days d join rides r on ${week} group by 1, 2) group by 1, 2`,
  ],
  [
    "every day of the time spine with a dimension, which has none on days without rides",
    { metrics: ["fares_each_day"], groupBy: ["metric_time", "bike__kind"] },
    "select d.day, kind, sum(fare) from days d left join rides r on r.day = d.day left join bikes b on b.id = bike_id group by 1, 2",
  ],
  [
    "days ago by month, where days move into the next",
    { metrics: ["three_days_ago"], groupBy: ["metric_time__month"] },
    ofPeriod("date_trunc('month', d.day)"),
  ],
  [
    "days ago by month and week",
    { metrics: ["three_days_ago"], groupBy: ["metric_time__month", "metric_time__week"] },
    ofPeriod("date_trunc('month', d.day), date_trunc('week', d.day)").replace("group by 1", "group by 1, 2"),
  ],
  [
    "days ago by the day of the week",
    { metrics: ["three_days_ago"], groupBy: ["metric_time__extract_dow"] },
    ofPeriod("isodow(d.day)"),
  ],
  [
    "days ago within bounds, which hold for the later day",
    { metrics: ["three_days_ago"], groupBy: ["metric_time"], time: { from: "2024-01-04", to: "2024-02-05" } },
    `${fareBefore("3 day").replace("group", "where d.day between '2024-01-04' and '2024-02-05' group")}`,
  ],
  [
    "a week up to yesterday, on days with rides in it",
    { metrics: ["week_a_day_ago"], groupBy: ["metric_time"] },
    `select d.day + interval 1 day, sum(fare) from days d join rides r on ${week} where d.day < '2024-04-12' group by 1`,
  ],
  [
    "a window, on days with rides in it and within alternatives of days",
    {
      metrics: ["fares_of_week"],
      groupBy: ["metric_time"],
      where: [
        "{{ TimeDimension('metric_time', 'day') }} = '2024-01-09' or metric_time__day = cast('2024-02-08' as timestamp)",
      ],
    },
    `select d.day, sum(fare) from days d join rides r on ${week} where d.day in ('2024-01-09', '2024-02-08') group by 1`,
  ],
  [
    "every day of the time spine",
    { metrics: ["fares_each_day"], groupBy: ["metric_time"] },
    "select d.day, sum(fare) from days d left join rides r on r.day = d.day group by 1",
  ],
  [
    "every day of the time spine within bounds, beside another metric",
    {
      metrics: ["fares_each_day", "paid_rides"],
      groupBy: ["metric_time"],
      time: { from: "2023-12-31", to: "2024-01-04" },
    },
    "select d.day, sum(fare), sum(case when paid then 1 when paid is not null then 0 end) from days d left join rides r on r.day = d.day where d.day between '2023-12-31' and '2024-01-04' group by 1",
  ],
  [
    "a window with zero on days without rides",
    { metrics: ["fares_of_two_days_each_day"], groupBy: ["metric_time"] },
    "select d.day, coalesce(sum(fare), 0) from days d left join rides r on r.day > d.day - interval 2 day and r.day <= d.day group by 1",
  ],
  [
    "conversions of rows without a key, with nothing where nothing converts",
    { metrics: ["calls_that_become_orders"], groupBy: ["metric_time"] },
    "select * from (values (date '2024-01-01', 1.0), (date '2024-01-02', null), (date '2024-01-04', 1.0), (date '2024-01-05', null))",
  ],
  [
    "conversions with a constant property and zero where nothing converts",
    { metrics: ["calls_that_become_orders_of_their_topic"], groupBy: ["call__topic"] },
    "select * from (values ('price', 4), ('fault', 0))",
  ],
  [
    "riders by a metric of each",
    {
      metrics: ["riders"],
      where: ["{{ Metric('fares', group_by=['rider']) }} > 3 and {{ Dimension('rider__city') }} = 'Bonn'"],
    },
    "select count(*) from riders where city = 'Bonn' and (select sum(fare) from rides where rider_id = riders.id) > 3",
  ],
  [
    "a metric that is filtered by metrics, in a filter",
    {
      metrics: ["visits"],
      where: ["{{ Metric('fares_of_frequent', ['rider']) }} >= 10.75 or {{ Metric('paid_share', ['rider']) }} = 1"],
    },
    "select count(*) from visits v where v.rider_id in (select rider_id from rides group by 1 having count(*) > 1 and sum(fare) >= 10.75 or min(case when paid then 1 else 0 end) = 1)",
  ],
  [
    "a custom grain of metric_time",
    { metrics: ["fares"], groupBy: ["metric_time__season"] },
    "select season, sum(fare) from rides r left join days d on d.day = r.day group by 1",
  ],
  [
    "a custom grain of a joined time, filtered",
    {
      metrics: ["fares"],
      groupBy: ["rider__joined__season"],
      where: ["{{ TimeDimension('rider__joined', 'season') }} = 'early' or {{ Dimension('bike__kind') }} = 'city'"],
    },
    "select season, sum(fare) from rides r left join riders on riders.id = rider_id left join days d on d.day = joined left join bikes b on b.id = bike_id where season = 'early' or kind = 'city' group by 1",
  ],
  [
    "values of a custom grain",
    { metrics: [], groupBy: ["rider__joined__season"] },
    "select distinct season from riders left join days on days.day = joined",
  ],
  [
    "values of a dimension",
    { metrics: [], groupBy: ["rider__city"], where: ["{{ Dimension('rider__joined') }} >= '2024-01-01'"] },
    "select distinct city from riders where joined >= '2024-01-01'",
  ],
  [
    "values of two dimensions, one by month",
    { metrics: [], groupBy: ["rider__joined__month", "rider__city"], orderBy: ["-rider__city"], limit: 2 },
    "select distinct date_trunc('month', joined), city from riders order by 2 desc nulls last, 1 limit 2",
  ],
  [
    "periods of the time spine",
    { metrics: [], groupBy: ["metric_time__week"], time: { from: "2024-01-03", to: "2024-01-17" } },
    "select distinct date_trunc('week', day) from days where day >= '2024-01-01' and day < '2024-01-22'",
  ],
  [
    "parts of the time spine",
    { metrics: [], groupBy: ["metric_time__extract_doy"] },
    "select distinct dayofyear(day) from days",
  ],
  [
    "least and greatest value",
    { metrics: [], groupBy: ["rider__city"], minMaxOnly: true },
    "select min(city), max(city) from riders",
  ],
  [
    "first and last month of a dimension",
    { metrics: [], groupBy: ["rider__joined__month"], minMaxOnly: true },
    "select date_trunc('month', min(joined)), date_trunc('month', max(joined)) from riders",
  ],
  [
    "the grain that a metric declares",
    { metrics: ["fares_by_month"], groupBy: ["metric_time"] },
    "select date_trunc('month', day), sum(fare) from rides group by 1",
  ],
  [
    "bounds that are widened to whole months",
    { metrics: ["fares"], groupBy: ["metric_time__month"], time: { from: "2024-01-15", to: "2024-02-02" } },
    "select date_trunc('month', day), sum(fare) from rides where day < '2024-03-01' group by 1",
  ],
  [
    "bounds of two models with different times",
    { metrics: ["fares", "riders"], time: { from: "2024-02-01", to: "2024-02-10" } },
    "select (select sum(fare) from rides where day between '2024-02-01' and '2024-02-10'), (select count(*) from riders where joined between '2024-02-01' and '2024-02-10')",
  ],
];

for (const [title, query, reference] of cases) {
  test(`MetricFlow's ${title} gives the rows of hand-written SQL`, async () => {
    const translated = imported.queries.translate(query);
    if (translated.kind === "refused") throw new Error(translated.reason);
    const models = new ModelSet(translated.models, { columns });
    const [, duckdb] = engines;
    const expected = (await duckdb?.run(reference)) ?? [];
    for (const engine of engines) {
      const compiled = compileMetricQuery(models, translated.query, engine.id);
      if (compiled.kind === "refused") throw new Error(`Refused: ${compiled.refusal.message}`);
      const types = compiled.columns.map(({ type }) => type);
      const rows = await engine.run(compiled.sql);
      const comparable = sortedRows(rows.map((row) => comparableRow(row, types)));
      expect(comparable, compiled.sql).toEqual(sortedRows(expected.map((row) => comparableRow(row, types))));
    }
  });
}

test("MetricFlow's queries that take one of several values of a period are refused", () => {
  const reasonOf = (query: MetricFlowQuery) => {
    const translated = imported.queries.translate(query);
    return translated.kind === "refused" ? translated.reason : "translated";
  };
  expect(reasonOf({ metrics: ["at_start"], groupBy: ["metric_time__week"] })).toMatch(/first day of each period/);
  expect(reasonOf({ metrics: ["running_by_month"], groupBy: ["metric_time__year"] })).toMatch(/period_agg/);
  expect(reasonOf({ metrics: ["fares", "riders"], groupBy: ["metric_time__season"] })).toMatch(/custom grain/);
  expect(reasonOf({ metrics: ["fares"], groupBy: ["bike__kind__season"] })).toMatch(/not a time column/);
  const groups = ["metric_time", "bike__kind"];
  expect(reasonOf({ metrics: ["fares_each_day", "rides"], groupBy: groups })).toMatch(/Ask for it alone/);
});

test("a time spine whose column has no granularity is refused with its line", () => {
  const text = "models:\n  - name: days\n    time_spine: { standard_granularity_column: day }\n";
  const { findings } = importMetricFlow([{ file: "m.yml", text }]);
  expect(findings).toMatchObject([
    { subject: "time spine days", position: { line: 2 }, reason: expect.stringMatching(/no granularity/) },
  ]);
});
