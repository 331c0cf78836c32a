import { afterAll, beforeAll, expect, test } from "vitest";
import { compileJoinCheck } from "../src/compile/compile-join-check.ts";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import type { MetricDialectId } from "../src/dialects/metric-dialect.ts";
import { semanticModelSchema } from "../src/models/model-schema.ts";
import { ModelSet } from "../src/models/model-set.ts";
import { startLocalEngines, type TestEngine } from "./engines.ts";
import { columnFacts, type TestTable } from "./table-data.ts";

const bookings: TestTable = {
  name: "bookings",
  columns: { id: "integer", currency: "text", day: "date", amount: "integer" },
  key: ["id"],
  rows: [
    [1, "EUR", "2024-01-10", 1],
    [2, "EUR", "2024-02-10", 2],
    [3, "EUR", "2024-02-10", 4],
    [4, "USD", "2024-02-10", 8],
    [5, null, null, 16],
  ],
};
const prices: TestTable = {
  name: "prices",
  columns: { currency: "text", since: "date", until: "date", price: "integer" },
  key: [],
  rows: [
    ["EUR", "2024-01-01", "2024-02-15", 1],
    ["EUR", "2024-02-01", "2024-03-01", 2],
    ["USD", "2024-02-01", "2024-03-01", 3],
  ],
};

const on = "{from}.currency = {to}.currency AND {from}.day >= {to}.since AND {from}.day < {to}.until";

function modelsWith(relationship: string, condition: string, violated = false): ModelSet {
  const models = [
    {
      name: "bookings",
      table: "bookings",
      primary_key: ["id"],
      joins: [{ to: "prices", on: condition, relationship }],
      dimensions: [{ name: "currency" }],
      measures: [{ name: "amount", agg: "sum" }],
    },
    {
      name: "prices",
      table: "prices",
      primary_key: ["currency", "since"],
      dimensions: [{ name: "price" }],
      measures: [{ name: "count", agg: "count" }],
    },
  ];
  const columns = { bookings: columnFacts(bookings), prices: columnFacts(prices) };
  const violations = violated ? [{ model: "bookings", join: "prices", keys: 1 }] : [];
  return new ModelSet(
    models.map((model) => semanticModelSchema.parse(model)),
    { columns, violations },
  );
}

let engines: readonly TestEngine[] = [];
beforeAll(async () => {
  engines = await startLocalEngines();
  for (const engine of engines) await engine.load([bookings, prices]);
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

test.each([
  ["many_to_one", on, [1]],
  ["many_to_one", `${on} AND {to}.price <> 1`, [0]],
  ["one_to_many", `${on} AND {to}.price <> 1`, [1]],
  ["one_to_one", `${on} AND {from}.id <> 3`, [1, 1]],
])("a %s join over %s has keys with several rows", async (relationship, condition, expected) => {
  for (const engine of engines) {
    const check = compileJoinCheck(modelsWith(relationship, condition), "bookings", "prices", engine.id);
    if (check.kind === "refused") throw new Error(check.refusal.message);
    const counts = [];
    for (const statement of check.statements) counts.push(Number((await engine.run(statement))[0]?.[0]));
    expect(counts, check.statements.join("\n")).toEqual(expected);
  }
});

test.each<MetricDialectId>(["postgres", "mysql", "clickhouse", "sqlserver", "snowflake", "bigquery"])(
  "the rows of a join are counted on %s",
  (dialect) => {
    expect(compileJoinCheck(modelsWith("many_to_one", on), "bookings", "prices", dialect)).toMatchObject({
      kind: "compiled",
      statements: [expect.stringContaining("COUNT")],
    });
  },
);

test("a join that the model does not have, and a condition without one side, are refused", () => {
  const models = modelsWith("many_to_one", "{to}.price = 1");
  const reasonOf = (join: string) => compileJoinCheck(models, "bookings", join, "duckdb");
  expect(reasonOf("rates")).toMatchObject({ refusal: { reason: "unknown_name" } });
  expect(reasonOf("prices")).toMatchObject({ refusal: { reason: "invalid_expression" } });
});

test("a join with several rows is refused in the direction of one row, and not in the other", () => {
  const models = modelsWith("many_to_one", on, true);
  const forward = { measures: ["bookings.amount"], dimensions: ["prices.price"] };
  expect(compileMetricQuery(models, forward, "duckdb")).toMatchObject({ refusal: { reason: "wrong_key" } });
  const backward = { measures: ["prices.count"], dimensions: ["bookings.currency"] };
  expect(compileMetricQuery(models, backward, "duckdb").kind).toBe("compiled");
});

test("a join over a column behind another join is counted by what that join leads to", async () => {
  const accounts: TestTable = {
    name: "accounts",
    columns: { id: "integer", currency: "text" },
    key: ["id"],
    rows: [1, 2, 3, 4, 5].map((id) => [id, id === 5 ? null : id === 4 ? "USD" : "EUR"]),
  };
  const overAccount = (relationship: string, more = "") =>
    new ModelSet(
      [
        {
          name: "bookings",
          table: "bookings",
          primary_key: ["id"],
          joins: [
            { name: "account", to: "accounts", on: [["id", "id"]], relationship: "many_to_one" },
            { to: "prices", on: on.replace("{from}.currency", "{from}.account.currency") + more, relationship },
          ],
        },
        { name: "accounts", table: "accounts", primary_key: ["id"] },
        { name: "prices", table: "prices", primary_key: ["currency", "since"] },
      ].map((model) => semanticModelSchema.parse(model)),
      { columns: { bookings: columnFacts(bookings), accounts: columnFacts(accounts), prices: columnFacts(prices) } },
    );
  for (const engine of engines) {
    await engine.load([accounts]);
    const counted = async (set: ModelSet) => {
      const check = compileJoinCheck(set, "bookings", "prices", engine.id);
      if (check.kind === "refused") throw new Error(check.refusal.message);
      return Promise.all(check.statements.map(async (sql) => Number((await engine.run(sql))[0]?.[0])));
    };
    expect(await counted(overAccount("many_to_one")), engine.id).toEqual([1]);
    expect(await counted(overAccount("many_to_one", " AND {to}.price <> 1")), engine.id).toEqual([0]);
    expect(await counted(overAccount("one_to_one")), engine.id).toEqual([1]);
  }
});
