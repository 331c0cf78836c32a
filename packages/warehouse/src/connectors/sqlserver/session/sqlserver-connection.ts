import { ConfigError, StoppedError } from "@bridle/protocol";
import type {
  ConnectContext,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StreamOptions,
} from "../../../port/connector.ts";
import type { TableName, WarehouseStructure } from "../../../port/structure.ts";
import { readSqlServerMarks } from "../catalog/change-marks.ts";
import { inspectSqlServerSafety } from "../catalog/safety.ts";
import { readSqlServerStructure } from "../catalog/structure.ts";
import type { SqlServerConfig } from "../sqlserver-settings.ts";
import { SqlServerDriver } from "./driver.ts";
import { SqlServerPool } from "./sqlserver-pool.ts";
import { SqlServerRows } from "./sqlserver-rows.ts";
import type { SqlServerSession } from "./sqlserver-session.ts";

/** SQL Server 2016. */
const oldestMajor = 13;

const serverQuery = `SELECT CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')), SCHEMA_NAME(), DB_NAME(),
  (SELECT snapshot_isolation_state FROM sys.databases WHERE database_id = DB_ID())`;

export async function openSqlServer(config: SqlServerConfig, _context: ConnectContext): Promise<EngineConnection> {
  const pool = new SqlServerPool(await SqlServerDriver.load(config));
  try {
    const session = await pool.acquire();
    const [[version, schema, catalog, snapshot] = []] = await session
      .send(serverQuery)
      .finally(() => pool.release(session));
    if (!(Number.parseInt(String(version), 10) >= oldestMajor))
      throw new ConfigError(`SQL Server ${String(version)} is too old. Use SQL Server 2016 (13) or newer.`);
    if (Number(snapshot) === 1) pool.isolation = "SNAPSHOT";
    const names = { defaultSchema: String(schema ?? "dbo"), catalog: String(catalog ?? config.database) };
    return new SqlServerConnection(pool, { product: "SQL Server", version: String(version), ...names });
  } catch (error) {
    await pool.close();
    throw error;
  }
}

class SqlServerConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #pool: SqlServerPool;

  constructor(pool: SqlServerPool, server: ServerInfo) {
    this.#pool = pool;
    this.server = server;
  }

  get statements(): number {
    return this.#pool.statements;
  }

  readStructure(schemas: readonly string[] | undefined, signal?: AbortSignal): Promise<WarehouseStructure> {
    return this.#with((send) => readSqlServerStructure(send, schemas), signal);
  }

  readChangeMarks(tables: readonly TableName[], signal?: AbortSignal): Promise<readonly (string | undefined)[]> {
    return readCatalogue(this.#pool, (send) => readSqlServerMarks(send, tables), signal);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new SqlServerRows(this.#pool, sql, options);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return this.#with((send) => inspectSqlServerSafety(send));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Queries of the connector itself, on a session of their own. */
  async #with<T>(work: (send: (sql: string) => Promise<unknown[][]>) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new StoppedError("Reading the catalogue was stopped.", { by: "signal" });
    const session: SqlServerSession = await this.#pool.acquire();
    const stop = () => void session.connection.cancel();
    signal?.addEventListener("abort", stop);
    try {
      return await work((sql) => {
        if (signal?.aborted) throw new StoppedError("Reading the catalogue was stopped.", { by: "signal" });
        this.#pool.statements += 1;
        return session.send(sql);
      });
    } catch (error) {
      if (signal?.aborted) throw new StoppedError("Reading the catalogue was stopped.", { by: "signal", cause: error });
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      await this.#pool.release(session);
    }
  }
}
