import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { type OpenedContext, openContext } from "../src/context/open-context.ts";

const shop = `CREATE EXTENSION pg_stat_statements;
CREATE TABLE customers (id int PRIMARY KEY, email text, country text);
CREATE TABLE orders (id int PRIMARY KEY, buyer int, status text, total numeric(10,2), placed_on date);
INSERT INTO customers SELECT n, 'c' || n || '@mail.example', CASE WHEN n % 3 = 0 THEN 'DE' ELSE 'FR' END FROM generate_series(1, 40) n;
INSERT INTO orders SELECT n, 1 + n % 40, CASE WHEN n % 5 = 0 THEN 'void' ELSE 'paid' END, n, date '2025-01-01' + n FROM generate_series(1, 200) n;
ANALYZE`;

describe.skipIf(skipsPostgres)("the query history of PostgreSQL (needs Debian's package postgresql)", () => {
  let cluster: PostgresCluster;
  let projectDir: string;
  let context: OpenedContext;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await cluster.send("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
    await cluster.stop();
    await cluster.start();
    for (const sql of shop.split(";\n")) await cluster.send(sql);
    projectDir = mkdtempSync(join(tmpdir(), "bridle-history-"));
    const connector = connectors.find(({ type }) => type === "postgres");
    if (connector === undefined) throw new Error("There is no connector.");
    const config = { type: "postgres", url: cluster.url, sslmode: "disable" };
    const surroundings = { projectDir, environment: {}, logger: silentLogger };
    const open = () => openWarehouse({ name: "shop", connector, config, context: surroundings });
    const stateDir = join(projectDir, ".bridle");
    context = openContext({ projectDir, stateDir, environment: {}, connections: [{ name: "shop", open }] });
    await context.scan("shop");
  });
  afterAll(async () => {
    await context?.close();
    rmSync(projectDir, { recursive: true, force: true });
    await cluster?.remove();
  });

  test("statements of people shape the draft, and those of the scan do not", async () => {
    for (let run = 0; run < 3; run++) {
      await cluster.send(
        "SELECT sum(total) AS revenue FROM orders JOIN customers ON customers.id = buyer WHERE status = 'paid'",
      );
      await cluster.send(
        "SELECT country, count(DISTINCT buyer) FROM orders o JOIN customers c ON c.id = o.buyer GROUP BY 1",
      );
    }
    const { models, history } = await context.metrics.propose();
    expect(history).toMatchObject([
      { connection: "shop", source: "pg_stat_statements", statements: 2, runs: 6, hidden: 0 },
    ]);
    const orders = models.find(({ model }) => model.name === "orders");
    expect(orders?.measures).toContainEqual(
      expect.objectContaining({ name: "orders.revenue", value: "20100.00", usage: { statements: 1, runs: 3 } }),
    );
    expect(orders?.used).toContainEqual({ kind: "join", name: "orders.customers", statements: 2, runs: 6 });
    expect(models.find(({ model }) => model.name === "customers")?.used).toContainEqual({
      kind: "dimension",
      name: "customers.country",
      statements: 1,
      runs: 3,
    });
    expect(models.flatMap(({ segments }) => segments)).toEqual([]); // the engine keeps no values
  });
});
