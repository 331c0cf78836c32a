import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelSet } from "../../src/models/model-set.ts";
import { startLocalEngines, type TestEngine } from "../engines.ts";
import { ask, modelOver } from "./native-engines.ts";

let engines: readonly TestEngine[] = [];
let sqlite: TestEngine;
let models: ModelSet;

beforeAll(async () => {
  engines = await startLocalEngines();
  const found = engines.find(({ id }) => id === "sqlite");
  if (!found) throw new Error("SQLite has not started.");
  sqlite = found;
  await sqlite.run(
    "CREATE TABLE calls (id INTEGER PRIMARY KEY, ts TIMESTAMP, d DATE, label TEXT COLLATE NOCASE, paid BOOLEAN)",
  );
  await sqlite.run(`INSERT INTO calls VALUES
    (1, '2024-01-31', '2024-01-31', 'a', 1),
    (2, '2024-02-01', '2024-02-01', 'A', 'true'),
    (3, '2024-02-01T00:00:00Z', '2024-02-01 00:00:00', 'b', 'f'),
    (4, '2024-01-31 23:59:59.999999', '2024-01-31', 'a', 0),
    (5, '2024-02-01 01:30:00+02:00', '2024-02-01', NULL, NULL),
    (6, '2024-02-01 10:00', NULL, 'B', 't'),
    (7, '', '', 'c', 'no')`);
  await sqlite.run("CREATE TABLE odd (id INTEGER PRIMARY KEY, ts TIMESTAMP, paid BOOLEAN)");
  await sqlite.run("INSERT INTO odd VALUES (1, 1706659200, 'perhaps'), (2, '2024-02-30', 1), (3, 'now', 1)");
  models = modelOver(
    {
      name: "calls",
      table: "calls",
      primary_key: ["id"],
      dimensions: [{ name: "ts", type: "time" }, { name: "d", type: "date" }, { name: "label" }, { name: "paid" }],
      measures: [
        { name: "count", agg: "count" },
        { name: "moments", agg: "count_distinct", expr: "ts" },
        { name: "last", agg: "max", expr: "ts" },
        { name: "late", agg: "count", filters: ["ts > d"] },
        { name: "same", agg: "count", filters: ["ts = d"] },
        { name: "labels", agg: "count_distinct", expr: "label" },
        { name: "least", agg: "min", expr: "label" },
        { name: "paid", agg: "count", filters: ["paid"] },
      ],
    },
    {
      id: { type: "integer" },
      ts: { type: "timestamp" },
      d: { type: "date" },
      label: { type: "text" },
      paid: { type: "boolean" },
    },
  );
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

const count = { measures: ["calls.count"] };

test.each([
  ["ts <= '2024-01-31'", "3"],
  ["ts >= '2024-02-01'", "3"],
  ["ts = '2024-02-01 00:00:00'", "2"],
  ["ts > '2024-01-31 23:59:59'", "4"],
  ["ts < '2024-01-31 23:59:59.5'", "2"],
  ["ts IN ('2024-01-31 23:30:00', '2024-02-01 10:00')", "2"],
  ["d = '2024-02-01'", "3"],
  ["d IN ('2024-01-31')", "2"],
  ["ts IS NULL", "1"],
  ["paid", "3"],
  ["NOT paid", "3"],
  ["label = 'a'", "2"],
  ["label IN ('A', 'B')", "2"],
])("SQLite keeps the rows of %s, however the times are stored", async (filter, expected) => {
  const filters = [filter.replaceAll(/\b(ts|d|paid|label)\b/g, "calls.$1")];
  expect(await ask(sqlite, models, { ...count, filters })).toBe(expected);
});

test("SQLite groups, counts and orders times by the moments that they are", async () => {
  const days = { ...count, dimensions: [{ field: "calls.ts", grain: "day" as const }] };
  expect(await ask(sqlite, models, days)).toBe("2024-01-31 3, 2024-02-01 3, NULL 1");
  expect(await ask(sqlite, models, { measures: ["calls.moments", "calls.last"] })).toBe("5 2024-02-01 10:00:00");
  expect(await ask(sqlite, models, { ...count, dimensions: ["calls.d"] })).toBe("2024-01-31 2, 2024-02-01 3, NULL 2");
  expect(await ask(sqlite, models, { measures: ["calls.late", "calls.same"] })).toBe("1 3");
});

test("SQLite counts and orders texts by their characters, whatever the collation of the column", async () => {
  expect(await ask(sqlite, models, { measures: ["calls.labels", "calls.least"] })).toBe("5 A");
  expect(await ask(sqlite, models, { ...count, dimensions: ["calls.label"] })).toBe("A 1, B 1, a 2, b 1, c 1, NULL 1");
});

test("a value that is no time, or no truth, is an error and no group", async () => {
  const odd = modelOver(
    {
      name: "odd",
      table: "odd",
      primary_key: ["id"],
      dimensions: [{ name: "ts", type: "time" }, { name: "paid" }],
      measures: [{ name: "count", agg: "count" }],
    },
    { id: { type: "integer" }, ts: { type: "timestamp" }, paid: { type: "boolean" } },
  );
  for (const id of [1, 2, 3]) {
    const query = { measures: ["odd.count"], dimensions: [{ field: "odd.ts", grain: "day" as const }] };
    await sqlite.run(`CREATE TEMP TABLE kept AS SELECT * FROM odd`);
    await sqlite.run(`DELETE FROM odd WHERE id <> ${id}`);
    await expect(ask(sqlite, odd, query)).rejects.toThrow("not an ISO 8601 time");
    await sqlite.run("DELETE FROM odd");
    await sqlite.run("INSERT INTO odd SELECT * FROM kept");
    await sqlite.run("DROP TABLE kept");
  }
  await expect(ask(sqlite, odd, { measures: ["odd.count"], dimensions: ["odd.paid"] })).rejects.toThrow("neither true");
});

test("a number that is declared as a time is refused", async () => {
  const columns = { id: { type: "integer" }, ts: { type: "integer" }, share: { type: "decimal" } } as const;
  const model = { name: "calls", table: "calls", measures: [{ name: "count", agg: "count" }] };
  for (const dimension of [
    { name: "ts", type: "time" },
    { name: "ts", type: "date" },
    { name: "share", type: "boolean" },
  ]) {
    const models = modelOver({ ...model, dimensions: [dimension] }, columns);
    expect(await ask(sqlite, models, { ...count, dimensions: [`calls.${dimension.name}`] })).toBe("unsupported");
  }
});
