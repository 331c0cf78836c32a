import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { skipsMariaDb } from "../../warehouse/tests/mysql/mariadb-server.ts";
import { type OpenedContext, openContext } from "../src/context/open-context.ts";
import { type MetricEngine, metricEngines } from "./support/metric-engines.ts";

const orders = (schema: string, paid = "status = 'paid'") => `name: orders
table: ${schema}.orders
primary_key: [id]
joins:
  - { to: customers, on: [[customer_id, id]], relationship: many_to_one }
dimensions:
  - { name: status }
  - { name: placed, type: timestamp }
measures:
  - { name: revenue, agg: sum, expr: total }
  - { name: paid, agg: sum, expr: total, filters: ["${paid}"] }
  - { name: pieces, agg: sum }
  - { name: count, agg: count }
`;
const customers = (schema: string) => `name: customers
table: ${schema}.customers
primary_key: [id]
dimensions: [{ name: country }, { name: active, type: boolean }]
measures: [{ name: count, agg: count }]
`;

const skipped: Readonly<Record<string, boolean>> = { PostgreSQL: skipsPostgres, MariaDB: skipsMariaDb };

describe.each(Object.entries(metricEngines).filter(([name]) => skipped[name] !== true))("on %s", (_, start) => {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-metric-queries-"));
  let engine: MetricEngine;
  let context: OpenedContext;
  beforeAll(async () => {
    engine = await start();
    await engine.write(
      "CREATE TABLE customers (id INTEGER, country VARCHAR(20), active BOOLEAN)",
      "CREATE TABLE orders (id INTEGER, customer_id INTEGER, status VARCHAR(20), total DECIMAL(12,2), pieces BIGINT, placed TIMESTAMP NULL)",
      "CREATE TABLE status (code VARCHAR(20))",
      "INSERT INTO customers VALUES (1, 'Greece', TRUE), (2, 'Greece', FALSE), (3, NULL, NULL)",
      "INSERT INTO orders VALUES (1, 1, 'paid', 0.10, 9007199254740993, '2024-01-31 23:30:00'), (2, 1, 'open', 0.20, 1, '2024-02-01 00:30:00')",
      "INSERT INTO orders VALUES (3, 3, 'paid', 9999999999.99, 2, '2024-02-29 12:00:00'), (4, NULL, 'open', 5, NULL, NULL)",
    );
    put("orders", orders(engine.schema));
    put("customers", customers(engine.schema));
    put(
      "status",
      `name: status\ntable: ${engine.schema}.status\nprimary_key: [code]\nmeasures: [{ name: count, agg: count }]\n`,
    );
    context = open();
    await context.scan("shop");
  });
  afterAll(async () => {
    await context?.close();
    await engine?.close();
    rmSync(projectDir, { recursive: true, force: true });
  });

  function put(name: string, text: string): void {
    mkdirSync(join(projectDir, "context/models"), { recursive: true });
    writeFileSync(join(projectDir, `context/models/${name}.yaml`), text);
  }

  function open(others: object = {}): OpenedContext {
    const connector = connectors.find(({ type }) => type === engine.config.type);
    if (connector === undefined) throw new Error("There is no such connector.");
    const surroundings = { projectDir, environment: {}, logger: silentLogger };
    const config = { ...engine.config, ...others };
    const connection = {
      name: "shop",
      open: () => openWarehouse({ name: "shop", connector, config, context: surroundings }),
    };
    return openContext({
      projectDir,
      stateDir: join(projectDir, ".bridle"),
      environment: {},
      connections: [connection],
    });
  }

  async function rowsOf(query: Parameters<OpenedContext["metrics"]["query"]>[0], options = {}) {
    const outcome = await context.metrics.query(query, options);
    if (outcome.kind !== "answered") throw new Error(JSON.stringify(outcome));
    return outcome;
  }

  const byCountry = { measures: ["orders.revenue"], dimensions: ["customers.country"], orderBy: ["customers.country"] };

  test("decimals, big integers, booleans, NULL and months arrive exactly", async () => {
    const byActive = { measures: ["orders.revenue", "orders.pieces"], dimensions: ["customers.active"] };
    const { rows, columns } = await rowsOf(byActive);
    expect(columns.map(({ type }) => type)).toEqual(["boolean", "decimal", "integer"]);
    expect(byFirst(rows)).toEqual(
      new Map<unknown, unknown>([
        [true, [0.3, "9007199254740994"]],
        [null, [10000000004.99, 2]],
      ]),
    );
    const byMonth = { measures: ["orders.count"], dimensions: [{ field: "orders.placed", grain: "month" as const }] };
    expect(byFirst((await rowsOf(byMonth)).rows)).toEqual(
      new Map<unknown, unknown>([
        ["2024-01-01", [1]],
        ["2024-02-01", [2]],
        [null, [1]],
      ]),
    );
    expect(byFirst((await rowsOf({ ...byMonth, timezone: "Europe/Athens" })).rows)).toEqual(
      new Map<unknown, unknown>([
        ["2024-02-01", [3]],
        [null, [1]],
      ]),
    );
  });

  test("an equal query is answered from the cache, and no other one is", async () => {
    await vi.waitUntil(async () => (await rowsOf(byCountry)).isCached, { timeout: 60_000, interval: 200 });
    expect((await rowsOf({ ...byCountry, totals: true })).totals?.map(Number)).toEqual([10000000005.29]);
    expect((await rowsOf(byCountry)).totals).toBeUndefined();
    expect(await rowsOf(byCountry, { maxRows: 1 })).toMatchObject({
      truncated: "rows",
      rows: [["Greece", expect.anything()]],
    });
    const narrow = { scope: { exclude: [`${engine.schema}.customers`] } };
    expect(await context.metrics.query(byCountry, narrow)).toMatchObject({ kind: "refused" });
    expect(await rowsOf({ measures: ["orders.count"] }, narrow)).toMatchObject({ rows: [[4]] });
  });

  test("rows that a filter of the connection leaves are not answered from the cache, as the filter may depend on the time", async () => {
    const filtered = open({ filters: { [`${engine.schema}.orders`]: "placed < CURRENT_TIMESTAMP" } });
    const count = { measures: ["orders.count"] };
    for (const _ of [1, 2])
      expect(await filtered.metrics.query(count)).toMatchObject({
        rows: [[3]],
        isCached: false,
        filtered: [`${engine.schema}.orders`],
      });
    await filtered.close();
  });

  test("a hidden table that is named like a column of the query does not prevent it", async () => {
    const hidden = { scope: { exclude: [`${engine.schema}.status`] } };
    const byStatus = { measures: ["orders.count"], dimensions: ["orders.status"], orderBy: ["orders.status"] };
    expect((await rowsOf(byStatus, hidden)).rows).toEqual([
      ["open", 2],
      ["paid", 2],
    ]);
  });

  test("a changed model, changed rows and a key that is no longer unique count at once", async () => {
    const paid = { measures: ["orders.paid"] };
    expect((await rowsOf(paid)).rows.flat().map(Number)).toEqual([10000000000.09]);
    put("orders", orders(engine.schema, "status = 'open'"));
    expect((await rowsOf(paid)).rows.flat().map(Number)).toEqual([5.2]);
    await engine.write("UPDATE orders SET total = 7 WHERE id = 4");
    expect((await rowsOf(paid)).rows.flat().map(Number)).toEqual([7.2]);
    await engine.write("INSERT INTO customers VALUES (1, 'Crete', TRUE)");
    expect(await context.metrics.query(byCountry)).toMatchObject({ kind: "refused", refusal: { reason: "wrong_key" } });
    expect((await rowsOf(paid)).rows.flat().map(Number)).toEqual([7.2]);
  });
});

/** Returns rows by their first value. Converts decimals, which SQLite returns as numbers and other engines as strings. */
function byFirst(rows: readonly (readonly unknown[])[]): ReadonlyMap<unknown, readonly unknown[]> {
  const comparable = (value: unknown) => (typeof value === "string" && value.includes(".") ? Number(value) : value);
  return new Map(rows.map(([first, ...rest]) => [first, rest.map(comparable)]));
}
