import { compileMetricQuery, ModelSet, semanticModelSchema } from "@bridle/semantic";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comparableRow, sortedRows } from "../../semantic/tests/comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../../semantic/tests/engines.ts";
import { columnFacts } from "../../semantic/tests/table-data.ts";
import { importOsi } from "../src/osi/import-osi.ts";
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
          - { name: paid_fares, ${ansi("SUM(CASE WHEN paid THEN fare END)")} }
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
    "a metric with a condition",
    { measures: ["rides.paid_fares"], dimensions: ["rides.rider.city"] },
    "select city, sum(case when paid then fare end) from rides left join riders on riders.id = rider_id group by 1",
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

const fares = `{ name: fares, ${ansi("SUM(fare)")}`;
const refused: readonly (readonly [what: string, from: string, to: string, found: string, reason: RegExp])[] = [
  [
    "a query in parentheses as a source",
    "main.riders",
    "(select)",
    "16 dataset riders",
    /query that begins with SELECT/,
  ],
  ["a metric without ANSI_SQL", fares, fares.replace("ANSI_SQL", "MDX"), "13 metric fares", /MDX/],
  [
    "an aggregation over two datasets",
    "SUM(rides.doubled) / COUNT(DISTINCT riders.id)",
    "SUM(rides.doubled * riders.id)",
    "25 metric fare_each",
    /several datasets/,
  ],
  [
    "an undeclared field",
    "SUM(rides.doubled) / COUNT(rides.doubled)",
    "SUM(rides.fare)",
    "14 metric mean_doubled",
    /not a declared field/,
  ],
  ["an unknown dataset of a relationship", "to: riders", "to: nobody", "23 relationship rider", /nobody/],
  ["columns without a pair", "to_columns: [id]", "to_columns: [id, city]", "23 relationship rider", /Pair them/],
  [
    "a second relationship of one name",
    "    metrics:\n      - { name: fare_each",
    "      - { name: rider, from: rides, to: riders, from_columns: [x], to_columns: [id] }\n    metrics:\n      - { name: fare_each",
    "24 relationship rider",
    /same name/,
  ],
  ["a second dataset of one name", "name: riders", "name: rides", "16 dataset rides", /same name/],
  ["a second field of one name", "name: doubled", "name: id", "10 field id", /same name/],
  ["a second metric of one name", "name: mean_doubled", "name: fares", "14 metric fares", /same name/],
  ["a metric with the name of a field", "name: fares", "name: id", "13 metric id", /field of rides has the same name/],
  [
    "a column outside of an aggregation",
    "COUNT(rides.doubled)",
    "rides.doubled",
    "14 metric mean_doubled",
    /outside of an aggregation/,
  ],
  ["a metric without an aggregation", fares, fares.replace("SUM(fare)", "1 + 1"), "13 metric fares", /no aggregation/],
  ["a metric by itself", fares, fares.replace("SUM(fare)", "rides.fares + 1"), "13 metric fares", /refers to itself/],
  ["a standard deviation", fares, fares.replace("SUM(fare)", "STDDEV(fare)"), "13 metric fares", /stddev is not supp/],
  [
    "an approximate count",
    fares,
    fares.replace("SUM(fare)", "1 + APPROX_COUNT_DISTINCT(fare)"),
    "13 metric fares",
    /approx_count_distinct is not supported/,
  ],
  ["a sum of distinct values", fares, fares.replace('fare)"', 'DISTINCT fare)"'), "13 metric fares", /distinct values/],
  ["a window", fares, fares.replace("SUM(fare)", "SUM(fare) OVER ()"), "13 metric fares", /windows/],
  [
    "an aggregation in another",
    fares,
    fares.replace("SUM(fare)", "SUM(MAX(fare))"),
    "13 metric fares",
    /within another/,
  ],
  ["a field with a subquery", "fare * 2", "(select 1)", "10 field doubled", /select/i],
  ["a field with an aggregation", "fare * 2", "SUM(fare)", "10 dimension doubled", /sum/i],
  ["a field of another dataset in a field", "fare * 2", "riders.id", "10 field doubled", /not a field of rides/],
  ["a field with a function of one engine", "fare * 2", "regexp_count(id)", "10 dimension doubled", /regexp_count/],
  ["a field whose name is SQL", "name: doubled", 'name: "a; drop table b"', "10 field a; drop table b", /not a name/],
  ["an unknown key", "is_time: true", "is_times: true", "11 field ridden", /"is_times" is unknown/],
  ["an unknown key of the document", "semantic_model:", "ontology: []\nsemantic_model:", "2 document", /"ontology"/],
  ["an unknown type", "datatype: Date", "datatype: Interval", "11 field ridden", /datatype/],
];
const changed: typeof refused = [
  ["instructions", "synonyms: [income]", "instructions: ask", "13 metric fares", /instructions/],
  ["a text as context", "{ synonyms: [income] }", "fares", "13 metric fares", /text of ai_context/],
  [
    "extensions",
    "datatype: String",
    "custom_extensions: [{ vendor_name: X, data: '{}' }]",
    "21 field city",
    /extensions/,
  ],
  [
    "an unused unique key",
    '        fields:\n          - { name: id, expression: { dialects: [{ dialect: ANSI_SQL, expression: "id" }] } }\n          - { name: city',
    "        unique_keys: [[city]]\n        fields:\n          - { name: city",
    "19 dataset riders",
    /unique_keys/,
  ],
  ["the type of a metric", "description: All fares", "datatype: Decimal", "13 metric fares", /datatype/],
  ["another version", "version: 0.2.0.dev0", "version: 3.0", "1 document", /version 3/],
  [
    "the description of the whole model",
    "- name: bikes",
    "- name: bikes\n    description: All",
    "4 semantic model bikes",
    /desc/,
  ],
];
for (const [kind, list] of Object.entries({ refused, changed })) {
  for (const [what, from, to, found, reason] of list) {
    test(`OSI: ${what} is ${kind}, with its line`, () => {
      expect(document).toContain(from);
      const { findings } = importOsi([{ file: "bikes.yaml", text: document.replace(from, to) }]);
      const [finding] = findings;
      expect(`${finding?.position.line} ${finding?.kind} ${finding?.subject}`).toBe(found.replace(" ", ` ${kind} `));
      expect(finding?.reason).toMatch(reason);
    });
  }
}

const importedFrom = (from: string, to: string) => {
  expect(document).toContain(from);
  return importOsi([{ file: "bikes.yaml", text: document.replace(from, to) }]);
};

test("OSI: a relationship whose columns are a key on both sides is one-to-one", () => {
  const { models } = importedFrom("primary_key: [id]", "primary_key: [id]\n        unique_keys: [[rider_id]]");
  expect(models[0]?.joins).toMatchObject([{ name: "rider", relationship: "one_to_one" }]);
});

test("OSI: names in quotes are the table, and a text without them is the same", () => {
  expect(importedFrom("main.riders", `'"db"."main"."riders"'`).models[1]?.table).toBe("db.main.riders");
  expect(importedFrom("main.riders", "'`db.main.riders`'").models[1]?.table).toBe("db.main.riders");
});

test("OSI: an aggregation with CASE is a measure with filters, unless a field has the name of a column", () => {
  const sum = (text: string) => importedFrom("SUM(fare)", text).models[0]?.measures?.[0];
  expect(sum("SUM(CASE WHEN paid AND id > 1 THEN fare END)")).toMatchObject({
    expr: '"fare"',
    filters: ['"paid"', '("id" > 1)'],
  });
  expect(sum("COUNT(CASE WHEN paid THEN 1 END)")).toMatchObject({ agg: "count", filters: ['"paid"'] });
  expect(sum("SUM(CASE WHEN doubled > 1 THEN fare END)")?.filters).toBeUndefined();
  expect(sum("SUM(CASE WHEN paid THEN fare ELSE 0 END)")?.filters).toBeUndefined();
});

test("OSI: metrics share the measures that they have in common, and may name each other", () => {
  const { models, findings } = importedFrom("SUM(rides.doubled) / COUNT(rides.doubled)", "SUM(fare) / rides.count");
  expect(findings).toMatchObject([{ subject: "metric mean_doubled", reason: expect.stringContaining("rides.count") }]);
  expect(models[0]?.measures?.map(({ name }) => name)).toEqual(["fares", "paid_fares", "fare_each__1"]);
  const other = importedFrom("SUM(rides.doubled) / COUNT(rides.doubled)", "SUM(fare) / COUNT(*)");
  expect(other.models[0]?.metrics).toMatchObject([
    { type: "ratio", numerator: "rides.fares", denominator: "rides.mean_doubled__1" },
    { type: "ratio" },
  ]);
});

test("OSI: two semantic models in one document do not see each other's datasets", () => {
  const other = `  - name: other
    datasets: [{ name: shops, source: main.shops }]
    relationships: [{ name: x, from: shops, to: riders, from_columns: [a], to_columns: [id] }]
`;
  const { findings, models } = importOsi([{ file: "bikes.yaml", text: `${document}${other}` }]);
  expect(models.map(({ name }) => name)).toEqual(["rides", "riders", "shops"]);
  expect(findings).toMatchObject([{ subject: "relationship x", position: { line: 28 } }]);
});

test("OSI: a document in JSON is read as YAML is", () => {
  const text = JSON.stringify({
    version: "0.1.1",
    semantic_model: [{ name: "m", datasets: [{ name: "t", source: "s.t" }] }],
  });
  expect(importOsi([{ file: "m.json", text }])).toMatchObject({ models: [{ name: "t", table: "s.t" }], findings: [] });
});

test("OSI: an alias of itself is refused with its file, and Windows line ends are read", () => {
  const cyclic = { file: "a.yaml", text: "version: 0.2.0\nsemantic_model: &a [*a]\n" };
  const { models, findings } = importOsi([cyclic, { file: "b.yaml", text: document.replaceAll("\n", "\r\n") }]);
  expect(findings).toMatchObject([{ kind: "refused", position: { file: "a.yaml" } }]);
  expect(models).toEqual(imported.models);
});
