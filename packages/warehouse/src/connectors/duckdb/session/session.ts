/** A DuckDB instance that can only read its database or its files. */
import { basename, extname } from "node:path";
import { ConfigError } from "@bridle/protocol";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { TableProblem } from "../../../port/structure.ts";
import type { DuckDbConfig } from "../config.ts";
import { closedOptions, type DuckDbDriver } from "../driver.ts";
import { openError, reasonOfDuckDb } from "./errors.ts";
import { createFileViews } from "./file-views.ts";
import type { DuckDbSource, FileTable } from "./find-source.ts";
import { PlanGuard } from "./plan-effects.ts";
import { quoteDuckDbName, quoteList, quoteLiteral } from "./quote.ts";

/** The catalog of the instance itself, which is in memory. The database is attached under another name, which statements may contain. */
const ownCatalog = "memory";

interface PreparedInstance {
  readonly catalog: string;
  readonly problems: readonly TableProblem[];
  readonly guard: PlanGuard;
}

export class DuckDbSession {
  readonly driver: DuckDbDriver;
  readonly source: DuckDbSource;
  /** The catalog, which precedes the schema in a full name: the name of the database file. */
  readonly catalog: string;
  /** Files that cannot be shown as tables, with the reason. */
  readonly problems: readonly TableProblem[];
  readonly guard: PlanGuard;
  readonly #instance: DuckDBInstance;

  private constructor(
    driver: DuckDbDriver,
    source: DuckDbSource,
    instance: DuckDBInstance,
    prepared: PreparedInstance,
  ) {
    this.driver = driver;
    this.source = source;
    this.#instance = instance;
    this.catalog = prepared.catalog;
    this.problems = prepared.problems;
    this.guard = prepared.guard;
  }

  /** @throws ConfigError, NetworkError or AuthenticationError, in one sentence. */
  static async open(driver: DuckDbDriver, source: DuckDbSource, config: DuckDbConfig): Promise<DuckDbSession> {
    const instance = await createInstance(driver, config);
    try {
      const connection = await instance.connect();
      try {
        const prepared = { ...(await prepare(connection, source)), guard: await PlanGuard.create(connection) };
        await lock(connection, source);
        return new DuckDbSession(driver, source, instance, prepared);
      } finally {
        connection.disconnectSync();
      }
    } catch (cause) {
      instance.closeSync();
      throw cause;
    }
  }

  /** Returns a separate connection, in a transaction that cannot write. The caller must disconnect it. */
  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    await connection.run(`USE ${quoteDuckDbName(this.catalog)}`);
    await connection.run("BEGIN TRANSACTION READ ONLY");
    return connection;
  }

  /** Ends the instance, and its lock on the database file. All connections must be closed. */
  async close(): Promise<void> {
    if (this.source.kind === "database") {
      const connection = await this.#instance.connect();
      await connection.run(`DETACH ${quoteDuckDbName(this.catalog)}`).catch(() => {});
      connection.disconnectSync();
    }
    this.#instance.closeSync();
  }
}

async function createInstance(driver: DuckDbDriver, config: DuckDbConfig): Promise<DuckDBInstance> {
  const threads = config.threads === undefined ? {} : { threads: String(config.threads) };
  try {
    return await driver.DuckDBInstance.create(":memory:", {
      ...closedOptions,
      memory_limit: config.memory ?? "1GB",
      ...threads,
    });
  } catch (cause) {
    throw new ConfigError(`DuckDB cannot be started: ${reasonOfDuckDb(cause)}.`, { cause });
  }
}

async function prepare(connection: DuckDBConnection, source: DuckDbSource): Promise<Omit<PreparedInstance, "guard">> {
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  if (source.kind === "files")
    return { catalog: ownCatalog, problems: await createFileViews(connection, source.tables) };
  return { catalog: await attach(connection, source.path), problems: [] };
}

/**
 * Attaches the database, and returns its catalog name. DuckDB cannot distinguish a schema from a database of the same name, so such a
 * database gets another name.
 */
async function attach(connection: DuckDBConnection, path: string): Promise<string> {
  const name = basename(path, extname(path)) || "database";
  const taken = new Set([ownCatalog, "system", "temp", "main"]);
  const first = taken.has(name.toLowerCase()) ? `${name}_database` : name;
  try {
    await connection.run(attachStatement(path, first));
    const schemas = await schemasOf(connection, first);
    if (!schemas.has(first.toLowerCase())) return first;
    await connection.run(`DETACH ${quoteDuckDbName(first)}`);
    let other = `${first}_database`;
    while (schemas.has(other.toLowerCase())) other += "_";
    await connection.run(attachStatement(path, other));
    return other;
  } catch (cause) {
    throw openError(path, cause);
  }
}

function attachStatement(path: string, name: string): string {
  return `ATTACH ${quoteLiteral(path)} AS ${quoteDuckDbName(name)} (TYPE duckdb, READ_ONLY)`;
}

async function schemasOf(connection: DuckDBConnection, catalog: string): Promise<ReadonlySet<string>> {
  const sql = `SELECT schema_name FROM duckdb_schemas() WHERE database_name = ${quoteLiteral(catalog)}`;
  const rows = await (await connection.runAndReadAll(sql)).getRows();
  return new Set(rows.map(([name]) => String(name).toLowerCase()));
}

/**
 * Prevents access to other files and changes of settings. DuckDB 1.5.6 adds the attached file to the allowed paths by itself, and COPY may
 * also write to an allowed path. For this reason, Bridle also checks the type of each statement.
 */
async function lock(connection: DuckDBConnection, source: DuckDbSource): Promise<void> {
  const files = source.kind === "files" ? source.tables.flatMap((table: FileTable) => table.files) : [];
  await connection.run(`SET allowed_paths = ${quoteList(files)}`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}
