/** The benchmark's engines: how the warehouse is created and changed, and how the scanning process opens it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { PostgresCluster, skipsPostgres } from "../../packages/stores/postgres/tests/postgres-cluster.ts";

export const engineNames = ["sqlite", "duckdb", "postgres"] as const;
export type EngineName = (typeof engineNames)[number];

export interface BenchEngine {
  readonly hasSchemas: boolean;
  /** The settings of the connection, as in `bridle.yaml`. */
  readonly config: Readonly<Record<string, unknown>>;
  run(statements: Iterable<string>): Promise<void>;
  /** The process id of a server, to count its CPU time; undefined if the engine runs in the scanning process. */
  readonly server: number | undefined;
  remove(): Promise<void>;
}

/** Creates the warehouse. Returns undefined if the engine is not on this machine. */
export async function createEngine(name: EngineName): Promise<BenchEngine | undefined> {
  if (name === "sqlite") return new SqliteEngine();
  if (name === "duckdb") return new DuckDbEngine();
  return skipsPostgres ? undefined : new PostgresEngine(await PostgresCluster.create());
}

class SqliteEngine implements BenchEngine {
  readonly hasSchemas = false;
  readonly server = undefined;
  readonly #folder = createFolder();
  readonly #file = join(this.#folder, "warehouse.sqlite");
  readonly config = { type: "sqlite", file: this.#file };

  async run(statements: Iterable<string>): Promise<void> {
    using database = new DatabaseSync(this.#file);
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    for (const statement of statements) database.exec(statement);
    database.exec("COMMIT");
  }

  async remove(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

class DuckDbEngine implements BenchEngine {
  readonly hasSchemas = true;
  readonly server = undefined;
  readonly #folder = createFolder();
  readonly #file = join(this.#folder, "warehouse.duckdb");
  readonly config = { type: "duckdb", file: this.#file };

  async run(statements: Iterable<string>): Promise<void> {
    const instance = await DuckDBInstance.create(this.#file);
    const connection = await instance.connect();
    await connection.run("BEGIN");
    for (const statement of statements) await connection.run(statement);
    await connection.run("COMMIT");
    await connection.run("CHECKPOINT");
    connection.closeSync();
    instance.closeSync();
  }

  async remove(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * The number of statements that are sent to PostgreSQL at once. Every table created in a transaction keeps its locks until the transaction
 * ends, so the batches are small.
 */
const batchSize = 100;

/** Starts a separate server, as the tests do. */
class PostgresEngine implements BenchEngine {
  readonly hasSchemas = true;
  readonly #cluster: PostgresCluster;

  constructor(cluster: PostgresCluster) {
    this.#cluster = cluster;
  }

  get config(): BenchEngine["config"] {
    return { type: "postgres", url: this.#cluster.url, sslmode: "disable" };
  }

  get server(): number | undefined {
    return this.#cluster.pid;
  }

  async run(statements: Iterable<string>): Promise<void> {
    const all = [...statements];
    for (let at = 0; at < all.length; at += batchSize) {
      await this.#cluster.send(all.slice(at, at + batchSize).join(";\n"));
    }
  }

  async remove(): Promise<void> {
    await this.#cluster.remove();
  }
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-bench-scan-"));
  return folder;
}
