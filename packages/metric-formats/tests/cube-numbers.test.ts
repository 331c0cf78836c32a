import { compileMetricQuery, type MetricQuery, ModelSet, semanticModelSchema } from "@bridle/semantic";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comparableRow, sortedRows } from "../../semantic/tests/comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../../semantic/tests/engines.ts";
import { columnFacts } from "../../semantic/tests/table-data.ts";
import { importCube } from "../src/cube/import-cube.ts";
import { ridesCubes, ridesScript } from "./cube-shop.ts";
import { rideTables } from "./rides.ts";

let engines: readonly TestEngine[] = [];
const yaml = importCube([{ file: "rides.yml", text: ridesCubes }], { schema: "main" });
const script = importCube([{ file: "rides.js", text: ridesScript }], { schema: "main" });
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
const byDay: Partial<MetricQuery> = {
  dimensions: [{ field: "rides.day", grain: "day" }],
  filters: ["rides.day >= '2024-01-02'", "rides.day <= '2024-01-04'"],
};
const days = "generate_series(timestamp '2024-01-02', timestamp '2024-01-04', interval 1 day) t(d)";

type Case = readonly [title: string, query: MetricQuery, sql: string];
const yamlCases: readonly Case[] = [
  ["count, with and without sql", rides("count", "fares_counted"), "select count(*), count(fare) from rides"],
  ["count_distinct and sum", rides("active_riders", "fares"), "select count(distinct rider_id), sum(fare) from rides"],
  ["avg, min and max", rides("mean_fare", "least", "most"), "select avg(fare), min(fare), max(fare) from rides"],
  [
    "filters, one over a column with the name of another dimension",
    rides("paid_fares"),
    "select sum(fare) from rides where paid and fare > 3",
  ],
  ["filter on a joined cube", rides("bonn_rides"), `select count(*) ${joined} where city = 'Bonn'`],
  [
    "filter on a joined cube whose dimension has the name of its column",
    rides("low_bikes"),
    `select count(*) ${joined} where b.maker_id * 2 > 3`,
  ],
  [
    "number over measures",
    rides("share_paid"),
    "select sum(case when paid and fare > 3 then fare end)::double / sum(fare) from rides",
  ],
  ["number over aggregations", rides("ratio"), "select sum(fare)::double / count(*) from rides"],
  [
    "time, boolean and string over aggregations",
    rides("last_day", "is_busy", "busy"),
    "select max(day), count(*) > 5, case when count(*) > 5 then 'busy' else 'calm' end from rides",
  ],
  ["number_agg of a median", rides("middle"), "select median(fare) from rides"],
  [
    "unbounded rolling window",
    { ...rides("so_far"), ...byDay },
    `select d::date, (select sum(fare) from rides where day <= d) from ${days}`,
  ],
  [
    "rolling window of days",
    { ...rides("of_week"), ...byDay },
    `select d::date, (select count(*) from rides where day > d - interval 7 day and day <= d) from ${days}`,
  ],
  [
    "window to date",
    { ...rides("month_to_date"), ...byDay },
    `select d::date, (select count(*) from rides where day >= date_trunc('month', d) and day <= d) from ${days}`,
  ],
  [
    "time shift",
    {
      ...rides("count", "before"),
      dimensions: [{ field: "rides.day", grain: "month" }],
      filters: ["rides.day >= '2024-02-01'"],
    },
    "select m, sum(c), sum(p) from (select date_trunc('month', day) m, 1 c, null p from rides union all select date_trunc('month', day) + interval 1 month, null, 1 from rides where day < '2024-03-01') where m >= '2024-02-01' group by 1",
  ],
  [
    "join, with the null group",
    { ...rides("count"), dimensions: ["riders.city"] },
    `select city, count(*) ${joined} group by 1`,
  ],
  ["join by columns", { ...rides("fares"), dimensions: ["bikes.kind"] }, `select kind, sum(fare) ${joined} group by 1`],
  [
    "join to many, each row once",
    { measures: ["riders.riders"], dimensions: ["riders.visits.id"] },
    "select v.id, count(riders.id) from riders left join visits v on v.rider_id = riders.id group by 1",
  ],
  [
    "case",
    { ...rides("count"), dimensions: ["rides.size"] },
    "select case when fare >= 6 then 'large' when fare >= 3 then 'middle' else 'none' end, count(*) from rides group by 1",
  ],
  [
    "dimension over a joined cube",
    { ...rides("count"), dimensions: ["rides.place"] },
    `select coalesce(city, 'nowhere'), count(*) ${joined} group by 1`,
  ],
  [
    "segment",
    { ...rides("count"), filters: [{ segment: "rides.dear" }] },
    `select count(*) ${joined} where fare > 4 or kind = 'cargo'`,
  ],
  [
    "weeks",
    { ...rides("count"), dimensions: [{ field: "rides.day", grain: "week" }] },
    "select date_trunc('week', day), count(*) from rides group by 1",
  ],
  [
    "extended cube",
    { measures: ["visits.visits", "visits.visitors", "all_visits.visits"] },
    "select (select count(*) from visits where rider_id <> 3), (select count(distinct rider_id) from visits), (select count(*) from visits)",
  ],
];
const scriptCases: readonly Case[] = [
  ["count and sum", rides("count", "fares"), "select count(*), sum(fare) from rides"],
  [
    "filters and number",
    rides("paidFares", "share"),
    "select sum(case when paid then fare end), sum(case when paid then fare end)::double / sum(fare) from rides",
  ],
  ["unbounded rolling window", { ...rides("soFar") }, "select sum(fare) from rides"],
  [
    "join",
    { ...rides("count"), dimensions: ["riders.city"] },
    "select city, count(*) from rides left join riders on riders.id = rider_id group by 1",
  ],
  ["segment", { ...rides("count"), filters: [{ segment: "rides.dear" }] }, "select count(*) from rides where fare > 4"],
  [
    "extended cube",
    { measures: ["old_riders.riders"], dimensions: ["old_riders.city"] },
    "select city, count(*) from riders group by 1",
  ],
];

async function check(models: ModelSet, query: MetricQuery, reference: string): Promise<void> {
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
}

const tables = { ...columns, all_visits: columns.visits ?? {}, old_riders: columns.riders ?? {} };

test.each(yamlCases)("Cube's %s gives the rows of hand-written SQL", async (_, query, reference) => {
  await check(new ModelSet(yaml.models, { columns: tables }), query, reference);
});

test.each(scriptCases)("Cube's %s in JavaScript gives the rows of hand-written SQL", async (_, query, reference) => {
  await check(new ModelSet(script.models, { columns: tables }), query, reference);
});

test("the cubes of the rides are imported without a refusal, and what is not needed is counted", () => {
  expect(yaml.findings).toEqual([]);
  expect(script.findings).toEqual([]);
  expect(yaml.notNeeded).toEqual({
    drill_members: 1,
    format: 2,
    hierarchies: 1,
    meta: 1,
    pre_aggregations: 1,
    public: 2,
    refresh_key: 1,
  });
  expect(script.notNeeded).toEqual({ drill_members: 1, shown: 1 });
});

test("models imported from Cube fit the schema of models", () => {
  for (const model of [...yaml.models, ...script.models]) expect(semanticModelSchema.parse(model)).toEqual(model);
});
