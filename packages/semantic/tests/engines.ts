/** The four engines that run here, each with a test's tables. */
import { DatabaseSync } from "node:sqlite";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import mysql from "mysql2/promise";
import pg from "pg";
import { PostgresCluster, skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { MariaDbServer, skipsMariaDb } from "../../warehouse/tests/mysql/mariadb-server.ts";
import { createTable, type TestTable } from "./table-data.ts";

export type Row = readonly unknown[];

export interface TestEngine {
  readonly id: "sqlite" | "duckdb" | "postgres" | "mysql";
  load(tables: readonly TestTable[]): Promise<void>;
  run(sql: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

class SqliteEngine implements TestEngine {
  readonly id = "sqlite";
  readonly #database = new DatabaseSync(":memory:", { readBigInts: true });

  async load(tables: readonly TestTable[]) {
    for (const sql of tables.flatMap((table) => createTable(this.id, table))) this.#database.exec(sql);
  }

  async run(sql: string) {
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all().map((row) => Object.values(row));
  }

  async close() {
    this.#database.close();
  }
}

class DuckDbEngine implements TestEngine {
  readonly id = "duckdb";
  readonly #connection: DuckDBConnection;

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async start() {
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    return new DuckDbEngine(await instance.connect());
  }

  async load(tables: readonly TestTable[]) {
    for (const sql of tables.flatMap((table) => createTable(this.id, table))) await this.#connection.run(sql);
  }

  async run(sql: string) {
    return (await this.#connection.runAndReadAll(sql)).getRows();
  }

  async close() {
    this.#connection.closeSync();
  }
}

class PostgresEngine implements TestEngine {
  readonly id = "postgres";
  readonly #cluster: PostgresCluster;
  readonly #client: pg.Client;

  private constructor(cluster: PostgresCluster, client: pg.Client) {
    this.#cluster = cluster;
    this.#client = client;
  }

  static async start() {
    const cluster = await PostgresCluster.create();
    const client = new pg.Client({ connectionString: cluster.url, types: { getTypeParser: () => String } });
    client.on("error", () => {});
    await client.connect();
    return new PostgresEngine(cluster, client);
  }

  async load(tables: readonly TestTable[]) {
    for (const sql of tables.flatMap((table) => createTable(this.id, table))) await this.#client.query(sql);
  }

  async run(sql: string) {
    return (await this.#client.query<unknown[]>({ text: sql, rowMode: "array" })).rows;
  }

  async close() {
    await this.#client.end();
    await this.#cluster.remove();
  }
}

class MariaDbEngine implements TestEngine {
  readonly id = "mysql";
  readonly #server: MariaDbServer;
  readonly #connection: mysql.Connection;

  private constructor(server: MariaDbServer, connection: mysql.Connection) {
    this.#server = server;
    this.#connection = connection;
  }

  static async start() {
    const server = await MariaDbServer.create();
    await server.send("CREATE DATABASE semantic CHARACTER SET utf8mb4");
    const options = { socketPath: server.socket, user: "root", database: "semantic", charset: "utf8mb4" };
    const strings = { dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, decimalNumbers: false };
    return new MariaDbEngine(server, await mysql.createConnection({ ...options, ...strings }));
  }

  async load(tables: readonly TestTable[]) {
    for (const sql of tables.flatMap((table) => createTable(this.id, table))) await this.#connection.query(sql);
  }

  async run(sql: string) {
    const [rows] = await this.#connection.query<mysql.RowDataPacket[][]>({ sql, rowsAsArray: true });
    return rows;
  }

  async close() {
    await this.#connection.end();
    await this.#server.remove();
  }
}

/** Starts the engines that are installed. In CI, all of them are. */
export async function startEngines(): Promise<readonly TestEngine[]> {
  const starting = [
    Promise.resolve(new SqliteEngine()),
    DuckDbEngine.start(),
    ...(skipsPostgres ? [] : [PostgresEngine.start()]),
    ...(skipsMariaDb ? [] : [MariaDbEngine.start()]),
  ];
  return Promise.all<TestEngine>(starting);
}

/** Starts only PostgreSQL; undefined if it is not installed. */
export async function startPostgresEngine(): Promise<TestEngine | undefined> {
  return skipsPostgres ? undefined : PostgresEngine.start();
}

/** Starts the engines that run in this process. */
export async function startLocalEngines(): Promise<readonly TestEngine[]> {
  return Promise.all<TestEngine>([Promise.resolve(new SqliteEngine()), DuckDbEngine.start()]);
}
