import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelSet } from "../../src/models/model-set.ts";
import { startEngines, type TestEngine } from "../engines.ts";
import { ask, modelOver } from "./native-engines.ts";

let engines: readonly TestEngine[] = [];
const columns = { id: { type: "integer" }, at: { type: "text" }, day: { type: "text" } } as const;
let models: ModelSet;

beforeAll(async () => {
  engines = await startEngines();
  models = modelOver(
    {
      name: "mails",
      table: "mails",
      primary_key: ["id"],
      dimensions: [
        { name: "sent", expr: "at", type: "time" },
        { name: "day", type: "date" },
        { name: "id", type: "string" },
      ],
      measures: [
        { name: "count", agg: "count" },
        { name: "since", agg: "count", filters: ["sent >= '2024-02-01'"] },
      ],
    },
    columns,
  );
  for (const engine of engines) {
    await engine.run(
      `CREATE TABLE mails (id INTEGER, ${engine.id === "mysql" ? "`at`" : '"at"'} VARCHAR(40), day VARCHAR(20))`,
    );
    await engine.run(
      "INSERT INTO mails VALUES (1, '2024-01-31', '2024-01-31'), (2, '2024-02-01T00:00:00Z', ''), (3, '2024-02-01 10:00:00.5', '2024-02-01'), (4, NULL, NULL), (5, '', '2024-02-01')",
    );
  }
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

async function onAll(query: Parameters<typeof ask>[2]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const engine of engines) found.push(await ask(engine, models, query));
  return [...new Set(found.map((each) => each.replaceAll(/\b\w{3} (\w{3} \d\d) (\d{4})\b/g, "$1 $2")))];
}

describe("texts that are declared as times", () => {
  test("are grouped and compared as the times that they say, on every engine", async () => {
    const months = [{ field: "mails.sent", grain: "month" as const }];
    expect(await onAll({ measures: ["mails.count"], dimensions: months })).toEqual([
      "2024-01-01 1, 2024-02-01 2, NULL 2",
    ]);
    expect(await onAll({ measures: ["mails.since"] })).toEqual(["2"]);
    expect(await onAll({ measures: ["mails.count"], filters: ["mails.sent > '2024-01-31'"] })).toEqual(["2"]);
    expect(await onAll({ measures: ["mails.count"], filters: ["mails.day = '2024-02-01'"] })).toEqual(["2"]);
    expect(await onAll({ measures: ["mails.count"], filters: ["mails.id = '3'"] })).toEqual(["1"]);
  });

  test("end with an error, or NULL in no group, if they are none", async () => {
    for (const engine of engines) {
      await engine.run("INSERT INTO mails VALUES (6, '01/02/2024', '2024-02-01')");
      const days = { measures: ["mails.count"], dimensions: [{ field: "mails.sent", grain: "day" as const }] };
      await expect(ask(engine, models, days), engine.id).rejects.toThrow();
      await engine.run("DELETE FROM mails WHERE id = 6");
    }
  });

  test("are refused by engines whose reading of texts is not checked here", async () => {
    const { compileMetricQuery } = await import("../../src/compile/compile-metric-query.ts");
    const query = { measures: ["mails.count"], dimensions: [{ field: "mails.sent", grain: "day" as const }] };
    for (const id of ["clickhouse", "sqlserver", "snowflake", "bigquery"] as const)
      expect(compileMetricQuery(models, query, id), id).toMatchObject({ refusal: { reason: "unsupported" } });
  });
});
