import { afterAll, beforeAll, expect, test } from "vitest";
import { compileMetricQuery } from "../../src/compile/compile-metric-query.ts";
import { importOsi } from "../../src/formats/osi/import-osi.ts";
import { semanticModelSchema } from "../../src/models/model-schema.ts";
import { ModelSet } from "../../src/models/model-set.ts";
import { comparableRow, sortedRows } from "../comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../engines.ts";
import { columnFacts } from "../table-data.ts";
import { rideTables } from "./rides.ts";

const ansi = (text: string) => `expression: { dialects: [{ dialect: ANSI_SQL, expression: "${text}" }] }`;
const document = `version: 0.2.0.dev0
semantic_model:
  - name: bikes
    datasets:
      - name: rides
        source: main.rides
        primary_key: [id]
        fields:
          - { name: id, ${ansi("id")} }
          - { name: doubled, ${ansi("fare * 2")}, datatype: Decimal }
          - { name: ridden, ${ansi("day")}, datatype: Date, dimension: { is_time: true } }
        metrics:
          - { name: fares, ${ansi("SUM(fare)")}, description: All fares, ai_context: { synonyms: [income] } }
          - { name: mean_doubled, ${ansi("SUM(rides.doubled) / COUNT(rides.doubled)")} }
      - name: riders
        source: main.riders
        primary_key: [id]
        fields:
          - { name: id, ${ansi("id")} }
          - { name: city, ${ansi("city")}, datatype: String }
    relationships:
      - { name: rider, from: rides, to: riders, from_columns: [rider_id], to_columns: [id] }
    metrics:
      - { name: fare_each, ${ansi("SUM(rides.doubled) / COUNT(DISTINCT riders.id)")} }
`;
const imported = importOsi([{ file: "bikes.yaml", text: document }]);
const columns = Object.fromEntries(rideTables.map((table) => [table.name, columnFacts(table)]));
let engines: readonly TestEngine[] = [];

beforeAll(async () => {
  engines = await startLocalEngines();
  for (const engine of engines) await engine.load(rideTables);
});

afterAll(async () => {
  for (const engine of engines) await engine.close();
});

const cases = [
  [
    "a metric of a dataset by a dimension",
    { measures: ["rides.fares"], dimensions: ["rides.rider.city"] },
    "select city, sum(fare) from rides left join riders on riders.id = rider_id group by 1",
  ],
  [
    "a metric over a computed field",
    { measures: ["rides.mean_doubled"] },
    "select (sum(fare * 2) / count(fare))::double from rides",
  ],
  [
    "a metric over two datasets",
    { measures: ["rides.fare_each"] },
    "select (select sum(fare * 2) from rides)::double / (select count(distinct id) from riders)",
  ],
  [
    "a time by month",
    { measures: ["rides.fares"], dimensions: [{ field: "rides.ridden", grain: "month" }] },
    "select date_trunc('month', day), sum(fare) from rides group by 1",
  ],
] as const;

for (const [title, query, reference] of cases) {
  test(`OSI: ${title} gives the rows of hand-written SQL`, async () => {
    const models = new ModelSet(imported.models, { columns });
    const expected = (await engines[1]?.run(reference)) ?? [];
    for (const engine of engines) {
      const compiled = compileMetricQuery(models, query, engine.id);
      if (compiled.kind === "refused") throw new Error(`Refused: ${compiled.refusal.message}`);
      const types = compiled.columns.map(({ type }) => type);
      const rows = await engine.run(compiled.sql);
      const comparable = sortedRows(rows.map((row) => comparableRow(row, types)));
      expect(comparable, compiled.sql).toEqual(sortedRows(expected.map((row) => comparableRow(row, types))));
    }
  });
}

test("an OSI document is imported without a finding, and its models fit the schema", () => {
  expect(imported.findings).toEqual([]);
  for (const model of imported.models) expect(semanticModelSchema.parse(model)).toEqual(model);
});

const refused: readonly (readonly [what: string, from: string, to: string, found: string, reason: RegExp])[] = [
  ["a query as a source", "main.riders", "select 1", "15 dataset riders", /query/],
  [
    "a metric without ANSI_SQL",
    `{ name: fares, ${ansi("SUM(fare)")}`,
    `{ name: fares, ${ansi("SUM(fare)").replace("ANSI_SQL", "MDX")}`,
    "13 metric fares",
    /MDX/,
  ],
  [
    "an aggregation over two datasets",
    "SUM(rides.doubled) / COUNT(DISTINCT riders.id)",
    "SUM(rides.doubled * riders.id)",
    "24 metric fare_each",
    /several datasets/,
  ],
  [
    "an undeclared field",
    "SUM(rides.doubled) / COUNT(rides.doubled)",
    "SUM(rides.fare)",
    "14 metric mean_doubled",
    /no declared field/,
  ],
  ["an unknown dataset of a relationship", "to: riders", "to: nobody", "22 relationship rider", /nobody/],
  [
    "a column outside of an aggregation",
    "COUNT(rides.doubled)",
    "rides.doubled",
    "14 metric mean_doubled",
    /outside of an aggregation/,
  ],
  ["a field with a subquery", "fare * 2", "(select 1)", "10 field doubled", /select/i],
  ["instructions", "synonyms: [income]", "instructions: ask", "13 metric fares", /instructions/],
];
for (const [what, from, to, found, reason] of refused) {
  test(`OSI: ${what} is in the findings with its line`, () => {
    expect(document).toContain(from);
    const { findings } = importOsi([{ file: "bikes.yaml", text: document.replace(from, to) }]);
    const [finding] = findings;
    expect(`${finding?.position.line} ${finding?.subject}`).toBe(found);
    expect(finding?.reason).toMatch(reason);
  });
}
