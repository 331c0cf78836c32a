/** Query histories of warehouses: a real PostgreSQL, and servers with the protocols of Snowflake and BigQuery. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Connector, connectors, openWarehouse, type Warehouse } from "@bridle/warehouse";
import { expect, onTestFinished, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { startBigQuery } from "../../warehouse/tests/bigquery/open-bigquery.ts";
import { startSnowflake } from "../../warehouse/tests/snowflake/open-snowflake.ts";
import { fetchSource, folderWith, projectItems } from "../src/sources/testing/collect-fetch-for-tests.ts";

const context = { projectDir: import.meta.dirname };

async function open(config: Readonly<Record<string, unknown>>): Promise<Warehouse> {
  const connector = connectors.find((each: Connector) => each.type === config.type);
  if (connector === undefined) throw new Error("There is no such engine.");
  const warehouse = await openWarehouse({ name: "shop", connector, config, context });
  onTestFinished(() => warehouse.close());
  return warehouse;
}

function fetchHistory(config: Readonly<Record<string, unknown>>, settings: object = {}) {
  return fetchSource({ type: "query_history", connection: "shop", ...settings }, { openWarehouse: () => open(config) });
}

test.skipIf(skipsPostgres)(
  "the statements of PostgreSQL are templates with the group roles of their users",
  async () => {
    const cluster = await PostgresCluster.create();
    onTestFinished(() => cluster.remove());
    const config = { type: "postgres", url: cluster.url, sslmode: "disable" };
    await expect(fetchHistory(config)).rejects.toThrow(
      /^The history of shop cannot be read: .*pg_stat_statements.* Install the extension pg_stat_statements, and grant the account the role pg_read_all_stats\.$/,
    );
    await cluster.send("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
    await cluster.stop();
    await cluster.start();
    await cluster.send("CREATE EXTENSION pg_stat_statements");
    await cluster.send("CREATE ROLE analysts NOLOGIN");
    await cluster.send("GRANT analysts TO bridle");
    await cluster.send("CREATE TABLE trips (id int, status text)");
    await cluster.send("CREATE TABLE fares (trip_id int, amount int)");
    for (const status of ["done", "secret-4711"])
      for (let run = 0; run < 6; run += 1)
        await cluster.send(
          `SELECT sum(f.amount) FROM trips t JOIN fares f ON f.trip_id = t.id WHERE t.status = '${status}'`,
        );
    const { source, items, isComplete } = await fetchHistory(config);
    expect(items.map(({ text }) => text)).toEqual([
      "# Query of fares, trips\n\nIt ran 10 times or more by 1 user or more, with the roles analysts.\n\nConnection: shop\n\n```sql\nselect sum(f.amount) from trips t join fares f on f.trip_id = t.id where t.status = ?\n```\n",
    ]);
    expect(isComplete).toBe(true);
    const { candidates } = await projectItems(source, items, { tables: ["shop.public.trips", "shop.public.fares"] });
    expect(candidates.map(({ body }) => body)).toEqual([
      { kind: "join", from: ["shop.public.fares.trip_id"], to: ["shop.public.trips.id"] },
    ]);
  },
);

test("the history of Snowflake is read once, with roles and without names of users", async () => {
  const columns = ["query", "runs", "users", "roles"].map(
    (name, index) =>
      [name, index === 1 || index === 2 ? "fixed" : "text", ...(index === 1 || index === 2 ? [0, 38] : [])] as never,
  );
  const { server } = await startSnowflake(() => ({
    columns,
    partitions: [
      [["SELECT * FROM TRIPS T JOIN FARES F ON F.TRIP_ID = T.ID WHERE CITY = 'Porto'", "12", "3", "ANALYST,REPORTER"]],
    ],
  }));
  const config = {
    type: "snowflake",
    account: "myorg-analytics",
    token: "right",
    database: "shop",
    endpoint: server.endpoint,
  };
  const { items } = await fetchHistory(config, { days: 7 });
  expect(items.map(({ text }) => text)).toEqual([
    "# Query of fares, trips\n\nIt ran 10 times or more by 2 users or more, with the roles ANALYST, REPORTER.\n\nConnection: shop\n\n```sql\nselect * from trips t join fares f on f.trip_id = t.id where city = ?\n```\n",
  ]);
  const asked = server.executed.map(({ statement }) => statement).filter((sql) => sql.includes("QUERY_HISTORY"));
  expect(asked).toEqual([expect.stringMatching(/DATEADD\(day, -7, CURRENT_TIMESTAMP\(\)\)/)]);
});

test("the history of BigQuery is that of the jobs of its region", async () => {
  const fields = [
    { name: "query", type: "STRING" },
    { name: "runs", type: "INTEGER" },
    { name: "users", type: "INTEGER" },
    { name: "roles", type: "STRING" },
  ];
  const server = await startBigQuery((sql) =>
    sql.includes("JOBS_BY_PROJECT")
      ? { fields, rows: [['SELECT x FROM `d.trips` WHERE city = "Porto"', "5", "2", null]] }
      : {},
  );
  const config = { type: "bigquery", project: "shop-data", token: "right", endpoint: server.endpoint };
  const { items } = await fetchHistory(config, { region: "eu" });
  expect(items.map(({ text }) => text)).toEqual([
    "# Query of d.trips\n\nIt ran 5 times or more by 2 users or more.\n\nConnection: shop\n\n```sql\nselect x from `d.trips` where city = ?\n```\n",
  ]);
  expect(server.ran.filter((sql) => sql.includes("`region-eu`.INFORMATION_SCHEMA.JOBS_BY_PROJECT"))).not.toEqual([]);
});

test("an engine that keeps no history is an error with a remedy", async () => {
  const file = join(folderWith({}), "shop.sqlite");
  new DatabaseSync(file).close();
  await expect(fetchHistory({ type: "sqlite", file })).rejects.toThrow(
    "The history of shop cannot be read from a sqlite database, only from: postgres, snowflake, bigquery. Name a log with path.",
  );
});
