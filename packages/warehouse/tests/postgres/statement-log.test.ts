import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import type { EngineConnection } from "../../src/port/connector.ts";
import { connectTo, readAll } from "./open-warehouse.ts";

describe.skipIf(skipsPostgres)("the statement log of PostgreSQL (needs Debian's package postgresql)", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await cluster.send("CREATE TABLE orders (id int, total numeric, status text)");
    await cluster.send("CREATE ROLE reader LOGIN");
    await cluster.send("GRANT SELECT ON orders TO reader");
  });
  afterAll(() => cluster?.remove());

  async function readLog(user = "bridle") {
    const connection: EngineConnection = await connectTo(cluster, { url: cluster.url.replace("bridle@", `${user}@`) });
    try {
      await readAll(connection, "SELECT max(total) FROM orders");
      return await connection.readStatementLog?.();
    } finally {
      await connection.close();
    }
  }

  test("there is none without the extension, and none without its library", async () => {
    expect(await readLog()).toBeUndefined();
    await cluster.send("CREATE EXTENSION pg_stat_statements");
    expect(await readLog()).toBeUndefined();
  });

  test("statements have their runs, those of Bridle have its mark, and those of others may be hidden", async () => {
    await cluster.send("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
    await cluster.stop();
    await cluster.start();
    for (const status of ["paid", "open"])
      await cluster.send(`SELECT sum(total) FROM orders WHERE status = '${status}'`);
    const log = await readLog();
    expect(log).toMatchObject({ source: "pg_stat_statements", hidden: 0 });
    expect(log?.statements).toContainEqual({ sql: "SELECT sum(total) FROM orders WHERE status = $1", runs: 2 });
    expect(log?.statements).toContainEqual({ sql: "SELECT max(total) FROM orders\n/* bridle */", runs: 1 });
    const narrow = await readLog("reader");
    expect(narrow?.hidden).toBeGreaterThan(0);
    expect(narrow?.statements.map(({ sql }) => sql).join()).not.toContain("status");
  });
});
