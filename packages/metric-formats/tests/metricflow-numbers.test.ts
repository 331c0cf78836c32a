import { compileMetricQuery, ModelSet, semanticModelSchema } from "@bridle/semantic";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comparableRow, sortedRows } from "../../semantic/tests/comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../../semantic/tests/engines.ts";
import { columnFacts } from "../../semantic/tests/table-data.ts";
import { importMetricFlow } from "../src/metricflow/import-metricflow.ts";
import type { MetricFlowQuery } from "../src/metricflow/queries/metricflow-query.ts";
import { ridesYaml, rideTables } from "./rides.ts";

let engines: readonly TestEngine[] = [];
const imported = importMetricFlow([{ file: "rides.yml", text: ridesYaml }], { schema: "main" });
const columns = Object.fromEntries(rideTables.map((table) => [table.name, columnFacts(table)]));

beforeAll(async () => {
  engines = await startLocalEngines();
  for (const engine of engines) await engine.load(rideTables);
});

afterAll(async () => {
  for (const engine of engines) await engine.close();
});

const month = (column: string) => `date_trunc('month', ${column})`;
const cases: readonly (readonly [title: string, query: MetricFlowQuery, sql: string])[] = [
  [
    "every aggregation",
    {
      metrics: ["rides", "paid_rides", "fares", "fare_counted", "active_riders"],
    },
    "select count(*), sum(case when paid then 1 else 0 end), sum(fare), count(fare), count(distinct rider_id) from rides",
  ],
  [
    "averages, extremes and the median",
    { metrics: ["mean_fare", "least_fare", "most_fare", "middle_fare"] },
    "select avg(fare), min(fare), max(fare), median(fare) from rides",
  ],
  [
    "a dimension of the model itself",
    { metrics: ["fares"], groupBy: ["ride__is_dear"] },
    "select case when fare > 5 then 'yes' else 'no' end, sum(fare) from rides group by 1",
  ],
  [
    "a dimension behind a foreign entity, with the null group",
    { metrics: ["rides"], groupBy: ["rider__city"] },
    "select city, count(*) from rides r left join riders on riders.id = rider_id group by 1",
  ],
  [
    "a dimension behind two entities",
    { metrics: ["fares"], groupBy: ["bike__maker__country"] },
    "select country, sum(fare) from rides left join bikes b on b.id = bike_id left join makers m on m.id = maker_id group by 1",
  ],
  [
    "an entity as a dimension",
    { metrics: ["rides"], groupBy: ["rider"] },
    "select rider_id, count(*) from rides group by 1",
  ],
  [
    "a natural entity with the row that was valid",
    { metrics: ["rides"], groupBy: ["bike__tier"] },
    "select tier, count(*) from rides r left join prices p on p.bike_id = r.bike_id and day >= valid_from and (day < valid_to or valid_to is null) group by 1",
  ],
  [
    "metric_time by month",
    { metrics: ["fares"], groupBy: ["metric_time__month"] },
    `select ${month("day")}, sum(fare) from rides group by 1`,
  ],
  [
    "metric_time of two models",
    { metrics: ["fares", "riders"], groupBy: ["metric_time__month"] },
    `select m, sum(f), coalesce(sum(c), 0) from (select ${month("day")} m, sum(fare) f, null c from rides group by 1 union all select ${month("joined")}, null, count(id) from riders group by 1) group by 1`,
  ],
  [
    "a dimension that two models share",
    { metrics: ["fares", "last_balance"], groupBy: ["rider__city"] },
    "select c, sum(f), sum(b) from (select city c, sum(fare) f, null b from rides left join riders on riders.id = rider_id group by 1 union all select city, null, sum(amount) from (select *, rank() over (partition by rider_id order by day desc) n from balances) left join riders on riders.id = rider_id where n = 1 group by 1) group by 1",
  ],
  [
    "semi-additive measure by month",
    { metrics: ["last_balance"], groupBy: ["metric_time__month"] },
    `select m, sum(amount) from (select *, ${month("day")} m, rank() over (partition by rider_id, ${month("day")} order by day desc) n from balances) where n = 1 group by 1`,
  ],
  [
    "a filter of a metric on a joined dimension",
    { metrics: ["cargo_fares"], groupBy: ["metric_time__month"] },
    `select ${month("day")}, sum(fare) from rides join bikes b on b.id = bike_id where kind = 'cargo' group by 1`,
  ],
  [
    "a filter of an input measure on metric_time",
    { metrics: ["new_fares"] },
    "select sum(fare) from rides where day >= date '2024-02-01'",
  ],
  [
    "a ratio",
    { metrics: ["paid_share"] },
    "select sum(case when paid then 1 else 0 end)::double / count(*) from rides",
  ],
  [
    "a ratio over two models with a filter of its numerator",
    { metrics: ["fares_for_each_rider"] },
    "select (select sum(fare) from rides join riders on riders.id = rider_id where city is not null)::double / (select count(id) from riders)",
  ],
  [
    "a derived metric over two models",
    { metrics: ["balance_less_fares"] },
    "select (select sum(amount) from (select *, rank() over (partition by rider_id order by day desc) n from balances) where n = 1) - 2 * (select sum(fare) from rides)",
  ],
  [
    "a derived metric with an offset",
    {
      metrics: ["fares_growth"],
      groupBy: ["metric_time__month"],
      where: [
        "{{ TimeDimension('metric_time', 'month') }} >= '2024-02-01'",
        "{{ TimeDimension('metric_time', 'day') }} < '2024-03-01'",
      ],
    },
    "select date '2024-02-01', (select sum(fare) from rides where day >= '2024-02-01' and day < '2024-03-01') - (select sum(fare) from rides where day < '2024-02-01')",
  ],
  ["a cumulative metric over all time", { metrics: ["fares_so_far"] }, "select sum(fare) from rides"],
  [
    "a filter of the query",
    {
      metrics: ["fares"],
      groupBy: ["rider__city"],
      where: ["{{ Dimension('ride__is_paid') }} = true and {{ Dimension('bike__kind') }} <> 'cargo'"],
    },
    "select city, sum(fare) from rides left join riders on riders.id = rider_id left join bikes b on b.id = bike_id where paid and kind <> 'cargo' group by 1",
  ],
  ...(
    [
      "= '2024-02-01'",
      "> '2024-01-01'",
      "<= '2024-01-01'",
      "between '2024-01-01' and '2024-02-01'",
      "= '2024-02-10'",
    ] as const
  ).map((condition): (typeof cases)[number] => [
    `a filter of months ${condition}`,
    {
      metrics: ["rides", "active_riders"],
      where: [`{{ TimeDimension('ride__ride_day', 'month') }} ${condition}`],
    },
    `select count(*), count(distinct rider_id) from rides where ${month("day")} ${condition}`,
  ]),
  [
    "a filter of the query over two models",
    { metrics: ["fares", "visits"], where: ["{{ Dimension('rider__city') }} = 'Bonn'"] },
    "select (select sum(fare) from rides where rider_id = 1), (select count(*) from visits where rider_id = 1)",
  ],
  [
    "a cumulative metric over a window",
    {
      metrics: ["fares_of_week"],
      groupBy: ["metric_time__day"],
      where: [
        "{{ Dimension('metric_time').grain('day') }} >= '2024-01-03' and {{ Dimension('metric_time').grain('day') }} <= '2024-01-09'",
      ],
    },
    "select d::date, (select sum(fare) from rides where day > d - interval 7 day and day <= d) from generate_series(timestamp '2024-01-03', timestamp '2024-01-09', interval 1 day) t(d)",
  ],
  [
    "a cumulative metric from the start of the month",
    {
      metrics: ["fares_of_month_so_far"],
      groupBy: ["metric_time__day"],
      where: [
        "{{ TimeDimension('metric_time', 'day') }} >= '2024-01-02'",
        "{{ TimeDimension('metric_time', 'day') }} <= '2024-01-04'",
      ],
    },
    "select d::date, (select sum(fare) from rides where day >= date_trunc('month', d) and day <= d) from generate_series(timestamp '2024-01-02', timestamp '2024-01-04', interval 1 day) t(d)",
  ],
  [
    "a metric on the time spine",
    { metrics: ["rides_each_month"], groupBy: ["metric_time__month"], spine: { from: "2023-12-01", to: "2024-04-30" } },
    `select d::date, (select count(*) from rides where ${month("day")} = d) from generate_series(timestamp '2023-12-01', timestamp '2024-04-01', interval 1 month) t(d)`,
  ],
  ["conversions within a window", { metrics: ["visits_that_become_rides"] }, "select 2"],
  [
    "an order and a limit",
    { metrics: ["fares"], groupBy: ["bike__kind"], orderBy: ["-fares"], limit: 1 },
    "select kind, sum(fare) s from rides left join bikes b on b.id = bike_id group by 1 order by s desc limit 1",
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

test("MetricFlow's YAML of the rides is imported without a refusal", () => {
  expect(imported.findings).toEqual([
    {
      kind: "changed",
      subject: "metric rides_each_month",
      reason: "Periods without rows are in the result only if the query has fillMissing.",
      position: { file: "rides.yml", line: expect.any(Number), column: expect.any(Number) },
    },
  ]);
});

test("imported models fit the schema of models", () => {
  for (const model of imported.models) expect(semanticModelSchema.parse(model)).toEqual(model);
});

test("MetricFlow queries whose answer would differ are refused by name", () => {
  const reasonOf = (query: MetricFlowQuery) => {
    const translated = imported.queries.translate(query);
    return translated.kind === "refused" ? translated.reason : "translated";
  };
  expect(reasonOf({ metrics: [] })).toMatch(/neither metrics nor groups/);
  expect(reasonOf({ metrics: [], groupBy: ["rider__city", "bike__kind"] })).toMatch(/no single model/);
  expect(reasonOf({ metrics: [], groupBy: ["metric_time"] })).toMatch(/needs a time spine/);
  expect(
    reasonOf({ metrics: [], groupBy: ["bike__kind"], where: ["{{ Dimension('maker__country') }} = 'NL'"] }),
  ).toMatch(/joins another model/);
  expect(reasonOf({ metrics: [], groupBy: ["bike__kind"], time: { from: "2024-01-01" } })).toMatch(/no metric_time/);
  expect(reasonOf({ metrics: [], groupBy: ["bike__kind"], dedupe: false })).toMatch(/deduplication/);
  expect(reasonOf({ metrics: ["fares_so_far"], groupBy: ["metric_time__month", "metric_time__week"] })).toMatch(
    /period_agg/,
  );
  expect(reasonOf({ metrics: ["fares"], groupBy: ["metric_time__minute"] })).toMatch(/grain minute/);
  expect(reasonOf({ metrics: ["fares"], groupBy: ["rider__shoe_size"] })).toMatch(/no dimension or entity/);
  expect(reasonOf({ metrics: ["fares"], groupBy: ["rider__city__month"] })).toMatch(/not a time/);
  expect(reasonOf({ metrics: ["none"] })).toMatch(/no imported measure|no metric/);
  expect(reasonOf({ metrics: ["rides_each_month"], groupBy: ["metric_time"] })).toMatch(/time spine/);
  expect(reasonOf({ metrics: ["fares"], where: ["{{ Metric('paid_share', group_by=['shoe']) }} > 3"] })).toMatch(
    /"shoe"/,
  );
  expect(
    reasonOf({ metrics: ["fares"], where: ["{{ Metric('balance_less_fares', group_by=['rider']) }} > 3"] }),
  ).toMatch(/several models/);
  expect(reasonOf({ metrics: ["fares"], where: ["exists (select 1)"] })).toMatch(/SELECT|select|EXISTS/);
});
