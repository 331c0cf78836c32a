/** The engines that the tests can run, each with a context's connection and a second connection for direct writes. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PostgresCluster } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { openForWriting } from "../../../warehouse/tests/duckdb/database.ts";
import { MariaDbServer } from "../../../warehouse/tests/mysql/mariadb-server.ts";

export interface MetricEngine {
  /** The entry in `context.connections`. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly schema: string;
  write(...statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

function startSqlite(): Promise<MetricEngine> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-metric-engine-"));
  const file = join(folder, "shop.db");
  return Promise.resolve({
    config: { type: "sqlite", file },
    schema: "main",
    async write(...statements) {
      using database = new DatabaseSync(file);
      for (const sql of statements) database.exec(sql);
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  });
}

function startDuckDb(): Promise<MetricEngine> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-metric-engine-"));
  const file = join(folder, "shop.duckdb");
  return Promise.resolve({
    config: { type: "duckdb", file },
    schema: "main",
    async write(...statements) {
      const instance = await openForWriting(file);
      const connection = await instance.connect();
      try {
        for (const sql of statements) await connection.run(sql);
      } finally {
        connection.disconnectSync();
        instance.closeSync();
      }
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  });
}

async function startPostgres(): Promise<MetricEngine> {
  const cluster = await PostgresCluster.create();
  return {
    config: { type: "postgres", url: cluster.url, sslmode: "disable" },
    schema: "public",
    async write(...statements) {
      for (const sql of statements) await cluster.send(sql);
    },
    close: () => cluster.remove(),
  };
}

async function startMariaDb(): Promise<MetricEngine> {
  const server = await MariaDbServer.create();
  await server.send(
    "CREATE DATABASE shop CHARACTER SET utf8mb4",
    "CREATE USER reader@localhost",
    "GRANT SELECT ON shop.* TO reader@localhost",
  );
  return {
    config: { type: "mysql", socket: server.socket, user: "reader", database: "shop" },
    schema: "shop",
    write: async (...statements) => void (await server.send("USE shop", "SET time_zone = '+00:00'", ...statements)),
    close: () => server.remove(),
  };
}

export const metricEngines = {
  SQLite: startSqlite,
  DuckDB: startDuckDb,
  PostgreSQL: startPostgres,
  MariaDB: startMariaDb,
} satisfies Readonly<Record<string, () => Promise<MetricEngine>>>;
