import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edgeTable } from "../../semantic/tests/functions/edge-table.ts";
import { functionValues } from "../../semantic/tests/functions/function-values.ts";
import { createTable } from "../../semantic/tests/table-data.ts";
import { skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { skipsMariaDb } from "../../warehouse/tests/mysql/mariadb-server.ts";
import { EngineContext } from "./support/engine-context.ts";
import { metricEngines } from "./support/metric-engines.ts";

const skipped: Readonly<Record<string, boolean>> = { PostgreSQL: skipsPostgres, MariaDB: skipsMariaDb };
const ids = { SQLite: "sqlite", DuckDB: "duckdb", PostgreSQL: "postgres", MariaDB: "mysql" } as const;
const engines = Object.entries(metricEngines).filter(([name]) => skipped[name] !== true);

const expressions = Object.values(functionValues).flat();
const count = { name: "count", agg: "count" };

describe.each(engines)("on %s", (name, start) => {
  const id = Object.entries(ids).find(([each]) => each === name)?.[1] ?? "sqlite";
  let own: EngineContext;

  beforeAll(async () => {
    own = await EngineContext.start(start);
    const text = id === "mysql" ? "VARCHAR(9) CHARACTER SET latin1" : "VARCHAR(9)";
    await own.engine.write(
      ...createTable(id, edgeTable),
      `CREATE TABLE codes (code ${text}, label VARCHAR(9))`,
      "INSERT INTO codes VALUES ('a1', 'small'), ('A1', 'large'), ('ä', 'umlaut')",
      `CREATE TABLE uses (id INTEGER, code ${text}, active BOOLEAN)`,
      "INSERT INTO uses VALUES (1, 'a1', TRUE), (2, 'A1', FALSE), (3, 'ä', NULL), (4, 'b', TRUE)",
    );
    own.put({
      name: "edges",
      table: "edges",
      primary_key: ["id"],
      measures: [count],
      dimensions: [{ name: "id" }, ...expressions.map(([expr], index) => ({ name: `x${index}`, expr }))],
    });
    own.put({
      name: "codes",
      table: "codes",
      primary_key: ["code"],
      dimensions: [{ name: "label" }],
      measures: [count],
    });
    own.put({
      name: "uses",
      table: "uses",
      primary_key: ["id"],
      joins: [{ to: "codes", on: [["code", "code"]], relationship: "many_to_one" }],
      dimensions: [{ name: "active" }, { name: "is_used", expr: "CASE WHEN active THEN 'yes' ELSE 'no' END" }],
      measures: [count, { name: "active", agg: "count", filters: ["active"] }],
    });
    await own.context.scan("shop");
  });
  afterAll(() => own?.close());

  test("the statement of each function passes the checks of the connection", async () => {
    const answered = expressions.flatMap(([, , refusing = []], index) => (refusing.includes(id) ? [] : [index]));
    for (let from = 0; from < answered.length; from += 20) {
      const dimensions = ["edges.id", ...answered.slice(from, from + 20).map((index) => `edges.x${index}`)];
      const outcome = await own.context.metrics.query({ measures: ["edges.count"], dimensions });
      expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: "answered" });
    }
  });

  test("keys that differ in capitals are two, for the check of the key and for the join", async () => {
    const byLabel = { measures: ["uses.count"], dimensions: ["codes.label"], orderBy: ["codes.label"] };
    expect(await own.ask(byLabel)).toBe("large 1, small 1, umlaut 1, null 1");
    expect(await own.ask({ measures: ["codes.count"], filters: ["uses.active"] })).toBe("1");
    await own.engine.write("INSERT INTO codes VALUES ('a1', 'again')");
    expect(await own.ask(byLabel)).toContain("1 keys occur more than once");
  });

  test("a boolean is one, also where the engine stores a number", async () => {
    const byActive = { measures: ["uses.count"], dimensions: ["uses.active"], orderBy: ["uses.active"] };
    expect(await own.ask(byActive)).toBe("false 1, true 2, null 1");
    expect(await own.ask({ measures: ["uses.active"] })).toBe("2");
    const byUse = { measures: ["uses.count"], dimensions: ["uses.is_used"], orderBy: ["uses.is_used"] };
    expect(await own.ask(byUse)).toBe("no 2, yes 2");
    expect(await own.ask({ measures: ["uses.count"], filters: ["uses.active = 0"] })).toBe("1");
  });
});
