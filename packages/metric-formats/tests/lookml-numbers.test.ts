import { compileMetricQuery, type MetricQuery, ModelSet, semanticModelSchema } from "@bridle/semantic";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comparableRow, sortedRows } from "../../semantic/tests/comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../../semantic/tests/engines.ts";
import { columnFacts } from "../../semantic/tests/table-data.ts";
import { importLookml } from "../src/lookml/import-lookml.ts";
import { ridesLookml } from "./lookml-shop.ts";
import { rideTables } from "./rides.ts";

let engines: readonly TestEngine[] = [];
const imported = importLookml([{ file: "rides.model.lkml", text: ridesLookml }], { schema: "main" });
const columns = Object.fromEntries(rideTables.map((table) => [table.name, columnFacts(table)]));

beforeAll(async () => {
  engines = await startLocalEngines();
  for (const engine of engines) await engine.load(rideTables);
});

afterAll(async () => {
  for (const engine of engines) await engine.close();
});

const rides = (...measures: readonly string[]): MetricQuery => ({ measures: measures.map((each) => `rides.${each}`) });
const joined = "from rides r left join riders on riders.id = rider_id left join bikes b on b.id = bike_id";
const cases: readonly (readonly [title: string, query: MetricQuery, sql: string])[] = [
  ["count and count_distinct", rides("count", "active_riders"), "select count(*), count(distinct rider_id) from rides"],
  ["sum and sum_distinct", rides("fares", "fares_distinct"), "select sum(fare), sum(fare) from rides"],
  ["average and average_distinct", rides("mean_fare", "mean_distinct"), "select avg(fare), avg(fare) from rides"],
  [
    "min, max, median and percentile 50",
    rides("least", "most", "middle", "middle_too"),
    "select min(fare), max(fare), median(fare), median(fare) from rides",
  ],
  ["a list of filters", rides("paid_fares"), "select sum(fare) from rides where paid and fare > 3"],
  ["a filter block", rides("unpaid"), "select count(*) from rides where not coalesce(paid, false)"],
  ["a filter on a joined view", rides("bonn_rides"), `select count(*) ${joined} where city = 'Bonn'`],
  [
    "a filter that excludes and keeps null",
    rides("not_bonn"),
    `select count(*) ${joined} where city <> 'Bonn' or city is null`,
  ],
  [
    "a filter by days without the last one",
    rides("in_january"),
    "select count(*) from rides where day >= '2024-01-01' and day < '2024-02-01'",
  ],
  ["a filter by the part of a time", rides("in_first_month"), "select count(*) from rides where month(day) = 1"],
  [
    "a number over measures",
    rides("share_paid"),
    "select sum(case when paid and fare > 3 then fare end)::double / sum(fare) from rides",
  ],
  ["a date over an aggregation", rides("last_day"), "select max(day) from rides"],
  ["a number over aggregations", rides("raw_ratio"), "select sum(fare)::double / count(*) from rides"],
  ["a yesno over measures", rides("is_busy"), "select count(*) > 5 from rides"],
  [
    "a period over period",
    {
      ...rides("count", "before"),
      dimensions: [{ field: "rides.rode", grain: "month" }],
      filters: ["rides.rode >= '2024-02-01'"],
    },
    "select m, sum(c), sum(p) from (select date_trunc('month', day) m, 1 c, null p from rides union all select date_trunc('month', day) + interval 1 month, null, 1 from rides where day < '2024-03-01') where m >= '2024-02-01' group by 1",
  ],
  [
    "a join by sql_on, with the null group",
    { ...rides("count"), dimensions: ["rides.riders.city"] },
    `select city, count(*) ${joined} group by 1`,
  ],
  [
    "a join by foreign_key",
    { ...rides("fares"), dimensions: ["bikes.kind"] },
    `select kind, sum(fare) ${joined} group by 1`,
  ],
  [
    "a join over another view",
    { ...rides("fares"), dimensions: ["makers.country"] },
    `select country, sum(fare) ${joined} left join makers on makers.id = b.maker_id group by 1`,
  ],
  [
    "an alias of a view",
    { ...rides("count"), dimensions: [{ field: "rides.bikes.owners.city", as: "owner" }] },
    `select o.city, count(*) ${joined} left join riders o on o.id = b.maker_id group by 1`,
  ],
  [
    "a dimension over a joined view",
    { ...rides("count"), dimensions: ["rides.where"] },
    `select coalesce(city, 'nowhere'), count(*) ${joined} group by 1`,
  ],
  [
    "tiers",
    { ...rides("count"), dimensions: ["rides.fare_tier"] },
    "select case when fare < 3 then 'Below 3' when fare < 6 then '3 to 5' when fare >= 6 then '6 or Above' else 'Undefined' end, count(*) from rides group by 1",
  ],
  [
    "a case",
    { ...rides("count"), dimensions: ["rides.size"] },
    "select case when fare >= 6 then 'large' when fare >= 3 then 'middle' else 'none' end, count(*) from rides group by 1",
  ],
  [
    "a yesno",
    { ...rides("count"), dimensions: ["rides.is_paid"] },
    "select coalesce(paid, false), count(*) from rides group by 1",
  ],
  [
    "weeks of a time",
    { ...rides("count"), dimensions: [{ field: "rides.rode", grain: "week" }] },
    "select date_trunc('week', day), count(*) from rides group by 1",
  ],
  [
    "parts of a time",
    {
      ...rides("count"),
      dimensions: [
        "rides.rode_month_name",
        "rides.rode_quarter_of_year",
        "rides.rode_day_of_month",
        "rides.rode_month_num",
        "rides.rode_yesno",
      ],
    },
    "select monthname(day), 'Q' || quarter(day), day(day), month(day), true, count(*) from rides group by all",
  ],
  [
    "a measure of the one side, each row once",
    { measures: ["riders.riders"], dimensions: ["riders.city"] },
    "select city, count(*) from riders group by 1",
  ],
  [
    "sql_always_where of the base view",
    { measures: ["visits.visits", "visits.visitors"] },
    "select count(*), count(distinct rider_id) from visits where rider_id <> 3 and day >= '2024-01-01'",
  ],
];

test.each(cases)("LookML's %s gives the rows of hand-written SQL", async (_, query, reference) => {
  const models = new ModelSet(imported.models, { columns });
  const [, duckdb] = engines;
  const expected = (await duckdb?.run(reference)) ?? [];
  for (const engine of engines) {
    const compiled = compileMetricQuery(models, query, engine.id);
    if (compiled.kind === "refused") throw new Error(`Refused: ${compiled.refusal.message}`);
    const types = compiled.columns.map(({ type }) => type);
    const rows = await engine.run(compiled.sql);
    const comparable = sortedRows(rows.map((row) => comparableRow(row, types)));
    expect(comparable, compiled.sql).toEqual(sortedRows(expected.map((row) => comparableRow(row, types))));
  }
});

test("LookML of the rides is imported without a refusal", () => {
  expect(imported.findings.map(({ kind, subject, position }) => `${position.line} ${kind} ${subject}`)).toEqual([]);
});

test("models imported from LookML fit the schema of models", () => {
  for (const model of imported.models) expect(semanticModelSchema.parse(model)).toEqual(model);
});
