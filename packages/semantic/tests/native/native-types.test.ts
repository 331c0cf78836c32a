import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelColumn } from "../../src/models/model-facts.ts";
import type { MetricQuery } from "../../src/query/query-schema.ts";
import { startEngines, type TestEngine } from "../engines.ts";
import { ask, modelOver } from "./native-engines.ts";

let engines: readonly TestEngine[] = [];
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

const id = (digit: number) => `00000000-0000-0000-0000-00000000000${digit}`;
const rows = `(1, '${id(2)}', NULL, 'ok', 'ä', 'Ä'), (2, '${id(1)}', '${id(2)}', 'glad', 'Ä', 'ä'), (3, '${id(3)}', '${id(2)}', NULL, 'a', 'b')`;
/** UUIDs, enumerations and text in another character set on each engine. */
const tables: Readonly<Record<TestEngine["id"], readonly string[] | undefined>> = {
  sqlite: undefined,
  duckdb: [
    "CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad')",
    "CREATE TABLE natives (n INTEGER, own UUID, parent UUID, e mood, v VARCHAR COLLATE NOCASE, w VARCHAR)",
  ],
  postgres: [
    "CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad')",
    "CREATE TABLE natives (n INTEGER, own UUID PRIMARY KEY, parent UUID, e mood, v CHAR(4), w VARCHAR(9))",
  ],
  mysql: [
    "CREATE TABLE natives (n INTEGER, own UUID PRIMARY KEY, parent UUID, e ENUM('sad', 'ok', 'glad'), v VARCHAR(9) CHARACTER SET latin1, w VARCHAR(9) CHARACTER SET latin1)",
  ],
};
const uuid: ModelColumn = { type: "uuid" };
const text: ModelColumn = { type: "text" };
const columns = { n: { type: "integer" }, own: uuid, parent: uuid, e: text, v: text, w: text } as const;
const model = {
  name: "natives",
  table: "natives",
  primary_key: ["own"],
  joins: [
    { name: "up", to: "natives", on: [["parent", "own"]], relationship: "many_to_one" },
    { name: "down", to: "natives", on: [["own", "parent"]], relationship: "one_to_many" },
    { name: "turned", to: "natives", on: [["v", "w"]], relationship: "many_to_one" },
  ],
  dimensions: ["n", "own", "e", "v", "w"].map((name) => ({ name })),
  measures: [
    { name: "count", agg: "count" },
    { name: "owners", agg: "count_distinct", expr: "own" },
    { name: "last", agg: "max", expr: "own" },
    { name: "moods", agg: "count_distinct", expr: "e" },
    { name: "greatest", agg: "max", expr: "e" },
    { name: "written", agg: "count", filters: ["CAST(own AS text) LIKE '%1'"] },
  ],
};
const models = modelOver(model, columns);
const count = { measures: ["natives.count"] };

/** Queries with their rows, or the reason for the refusal. */
const queries: readonly (readonly [MetricQuery, string])[] = [
  [{ ...count, dimensions: ["natives.own"] }, `${id(1)} 1, ${id(2)} 1, ${id(3)} 1`],
  [{ measures: ["natives.owners", "natives.last", "natives.written"] }, `3 ${id(3)} 1`],
  [{ ...count, dimensions: ["natives.e"] }, "glad 1, ok 1, NULL 1"],
  [{ measures: ["natives.moods", "natives.greatest"] }, "2 ok"],
  [{ ...count, dimensions: ["natives.up.e"] }, "ok 2, NULL 1"],
  [{ ...count, dimensions: ["natives.down.n"] }, "2 1, 3 1, NULL 2"],
  [{ ...count, dimensions: ["natives.turned.n"] }, "1 1, 2 1, NULL 1"],
  [{ ...count, filters: ["natives.turned.n > 0"] }, "2"],
  [{ ...count, dimensions: ["natives.v"] }, "a 1, Ä 1, ä 1"],
  [{ ...count, filters: [`natives.own = '${id(1)}'`] }, "1"],
  [{ ...count, filters: [`natives.own IN ('${id(1)}', '${id(3)}')`] }, "2"],
  [{ ...count, filters: [`natives.own > '${id(1)}'`] }, "2"],
  [{ ...count, filters: ["natives.own = 'x'"] }, "invalid_value"],
  [{ ...count, filters: ["natives.own = natives.w"] }, "invalid_expression"],
  [{ ...count, filters: ["natives.e = 'ok'"] }, "1"],
  [{ ...count, filters: ["natives.v = 'ä'"] }, "1"],
  [{ ...count, filters: ["natives.v LIKE '_'"] }, "3"],
  [{ ...count, filters: ["contains(natives.v, 'ä')"] }, "1"],
  [{ ...count, filters: ["natives.v IN ('Ä', 'ß')"] }, "1"],
];

test.each(queries)("%j has the same answer for the types of every engine", async (query, expected) => {
  for (const engine of engines) {
    const statements = tables[engine.id];
    if (!statements) continue;
    await engine.run("DROP TABLE IF EXISTS natives");
    if (engine.id !== "mysql") await engine.run("DROP TYPE IF EXISTS mood");
    for (const sql of [...statements, `INSERT INTO natives VALUES ${rows}`]) await engine.run(sql);
    expect(await ask(engine, models, query), engine.id).toBe(expected);
  }
});

test("MariaDB finds the key of a text in UTF-8 with an index, and compares others by their characters", async () => {
  const mysql = engines.find((engine) => engine.id === "mysql");
  if (!mysql) return;
  await mysql.run("CREATE TABLE named (name VARCHAR(20) PRIMARY KEY, chief VARCHAR(20))");
  const link = { to: "named", name: "boss", on: [["chief", "name"]], relationship: "many_to_one" };
  const named = {
    name: "named",
    table: "named",
    joins: [link],
    dimensions: [{ name: "name" }],
    measures: model.measures.slice(0, 1),
  };
  const { compileMetricQuery } = await import("../../src/compile/compile-metric-query.ts");
  const planFor = async (charset: string) => {
    const known = { type: "text", charset } as const;
    const query = { measures: ["named.count"], dimensions: ["named.boss.name"] };
    const compiled = compileMetricQuery(modelOver(named, { name: known, chief: known }), query, "mysql");
    if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
    return JSON.stringify(await mysql.run(`EXPLAIN ${compiled.sql}`));
  };
  await mysql.run("INSERT INTO named SELECT seq, seq + 1 FROM seq_1_to_50");
  expect(await planFor("utf8mb4")).toContain("eq_ref");
  expect(await planFor("latin1")).not.toContain("eq_ref");
});
