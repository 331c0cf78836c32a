import { expect, test } from "vitest";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import { timeGrains } from "../src/expressions/time-grains.ts";
import type { TypedExpression } from "../src/ir/sql-expression.ts";
import { semanticModelSchema } from "../src/models/model-schema.ts";
import { ModelSet } from "../src/models/model-set.ts";
import { weekDays } from "../src/query/query-schema.ts";
import { composedCases } from "./cases/all-cases.ts";
import { documentedFunctions } from "./documented-functions.ts";
import { shopModelSet } from "./shop-models.ts";
import { grammarComplaint, parserComplaint } from "./written-dialects.ts";

const names = {
  text: [
    "lower(t)",
    "upper(t)",
    "trim(t)",
    "replace(t, 'a', 'b')",
    "concat(t, 'a')",
    "coalesce(t, 'a')",
    "nullif(t, 'a')",
  ],
  characters: [
    "substr(t, 2)",
    "substr(t, 2, 3)",
    "left(t, 2)",
    "right(t, 2)",
    "starts_with(t, 'a')",
    "ends_with(t, 'a')",
  ],
  number: ["abs(n)", "floor(n)", "ceil(n)", "length(t)", "i % 2", "i / 2", "n * 1.5", "CAST(n AS double)"],
  arithmetic: [
    "round(n, 1)",
    "round(n)",
    "round(x, 1)",
    "floor(x)",
    "sign(n)",
    "mod(i, 3)",
    "power(n, 2)",
    "sqrt(n)",
    "greatest(n, i)",
    "least(n, i, 1)",
    "CAST(n AS decimal(10, 1))",
    "i + i",
    "i - i",
    "i * i",
    "CAST(i AS text)",
  ],
  time: [
    "year(at)",
    "quarter(at)",
    "month(at)",
    "day(at)",
    "hour(at)",
    "day_of_week(at)",
    "day_of_year(d)",
    "minute(at)",
    "second(at)",
    "week_of_year(d)",
    "CAST(b AS integer)",
    "CAST(u AS text)",
    ...["day", "week", "month", "quarter", "year"].map((unit) => `date_diff('${unit}', d, at)`),
    ...["hour", "minute", "second"].map((unit) => `date_diff('${unit}', at, z)`),
  ],
  moment: [
    "CAST(at AS date)",
    "CAST(d AS timestamp)",
    "CAST(z AS timestamp)",
    ...timeGrains.map((each) => `date_trunc('${each}', at)`),
  ],
  condition: [
    "contains(t, 'a')",
    "t LIKE 'a%'",
    "t ILIKE 'A%'",
    "d = DATE '2024-01-01'",
    "at > TIMESTAMP '2024-01-01 10:00:00'",
    "t IS DISTINCT FROM 'a'",
  ],
};

/** Returns statements that together use each function, grain and form of a dialect. */
function statementsOf(id: keyof typeof documentedFunctions): readonly string[] {
  const all = Object.values(names).flat();
  const model = semanticModelSchema.parse({
    name: "things",
    table: "things",
    primary_key: ["i"],
    default_time: "at",
    dimensions: [
      ...all.map((expr, index) => ({ name: `x${index}`, expr })),
      { name: "at", type: "time" },
      { name: "z", type: "time" },
      { name: "said", type: "time" },
      { name: "u" },
    ],
    measures: ["count", "count_distinct", "sum", "avg", "min", "max", "median"].map((agg) => ({
      name: agg,
      agg,
      expr: "n",
    })),
    metrics: [{ name: "running", type: "cumulative", measure: "count" }],
  });
  const things: Readonly<Record<string, TypedExpression>> = {
    i: { type: "integer" },
    t: { type: "text" },
    n: { type: "decimal", scale: 2 },
    b: { type: "boolean" },
    d: { type: "date" },
    at: { type: "timestamp" },
    z: { type: "timestamptz" },
    u: { type: "uuid" },
    x: { type: "double" },
    said: { type: "text" },
  };
  const models = new ModelSet([model], { columns: { things } });
  const queries = [
    ...all.map((_, index) => ({ measures: ["things.count"], dimensions: [`things.x${index}`] })),
    { measures: ["things.count"], dimensions: ["things.u", { field: "things.said", grain: "day" as const }] },
    { measures: ["things.count"], dimensions: [{ field: "things.said", grain: "day" as const }] },
    { measures: (model.measures ?? []).map(({ name }) => `things.${name}`) },
    ...timeGrains.flatMap((grain) =>
      ["at", "z"].flatMap((field) =>
        weekDays.map((weekStart) => ({
          measures: ["things.running"],
          dimensions: [{ field: `things.${field}`, grain }],
          weekStart,
          timezone: "Europe/Berlin",
          fillMissing: true,
        })),
      ),
    ),
  ];
  const ofThings = queries.map((query) => compileMetricQuery(models, query, id));
  const ofCases = composedCases.map(({ query }) => compileMetricQuery(shopModelSet(), query, id));
  return [...ofThings, ...ofCases].flatMap((compiled) => (compiled.kind === "compiled" ? [compiled.sql] : []));
}

/** Returns the names before a parenthesis, outside strings and quoted names. */
function callsIn(sql: string): ReadonlySet<string> {
  const plain = sql.replaceAll(/'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"|`(?:[^`\\]|\\.)*`/g, "?");
  const notFunctions = new Set([
    "AS",
    "IN",
    "OVER",
    "DISTINCT",
    "AND",
    "OR",
    "NOT",
    "WHEN",
    "THEN",
    "ELSE",
    "FROM",
    "JOIN",
    "EXISTS",
    "ON",
    "BY",
    "TOP",
    "WHERE",
    "SELECT",
  ]);
  const found = [...plain.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].map(([, name = ""]) => name);
  return new Set(found.filter((name) => !notFunctions.has(name)));
}

const dialects = ["mysql", "clickhouse", "sqlserver", "snowflake", "bigquery"] as const;

test.each(dialects)("every function in the SQL of %s is in the table of its documentation", (id) => {
  const written = new Set(statementsOf(id).flatMap((sql) => [...callsIn(sql)]));
  const known = Object.keys(documentedFunctions[id]);
  expect([...written].filter((name) => !known.includes(name)).toSorted()).toEqual([]);
  expect(known.filter((name) => !written.has(name)).toSorted(), "in the table, and not written").toEqual([]);
});

test.each(dialects)("each function, grain and first day of the week of %s is SQL that can be read", async (id) => {
  for (const sql of statementsOf(id)) {
    expect(parserComplaint(id, sql), sql).toBe(undefined);
    expect(await grammarComplaint(id, sql), sql).toBe(undefined);
  }
});
