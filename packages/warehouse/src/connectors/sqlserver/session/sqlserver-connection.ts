import type {
  CatalogOptions,
  ConnectContext,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StreamOptions,
} from "../../../port/connector.ts";
import type { TableName, WarehouseStructure } from "../../../port/structure.ts";
import { StatementRows } from "../../../rows/statement-rows.ts";
import { SessionPool } from "../../../sessions/session-pool.ts";
import { readCatalog } from "../../../sessions/session-queries.ts";
import { SessionStatement } from "../../../sessions/session-statement.ts";
import { readSqlServerMarks } from "../catalog/change-marks.ts";
import { inspectSqlServerSafety } from "../catalog/safety.ts";
import { readSqlServerStructure } from "../catalog/structure.ts";
import type { SqlServerConfig } from "../sqlserver-settings.ts";
import { SqlServerDriver } from "./driver.ts";
import { SqlServerSession } from "./sqlserver-session.ts";

export async function openSqlServer(
  config: SqlServerConfig,
  { signal, connectTimeoutMs }: ConnectContext,
): Promise<EngineConnection> {
  const driver = await SqlServerDriver.load(config, connectTimeoutMs);
  const pool = new SessionPool(() => SqlServerSession.open(driver));
  const server = await pool.use(async (session) => session.facts.server, signal);
  return new SqlServerConnection(pool, server);
}

class SqlServerConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #pool: SessionPool<SqlServerSession>;

  constructor(pool: SessionPool<SqlServerSession>, server: ServerInfo) {
    this.#pool = pool;
    this.server = server;
  }

  get statements(): number {
    return this.#pool.statements;
  }

  readStructure(schemas: readonly string[] | undefined, options?: CatalogOptions): Promise<WarehouseStructure> {
    return readCatalog(this.#pool, (send) => readSqlServerStructure(send, schemas), options);
  }

  readChangeMarks(tables: readonly TableName[], options?: CatalogOptions): Promise<readonly (string | undefined)[]> {
    return readCatalog(this.#pool, (send) => readSqlServerMarks(send, tables), options);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new StatementRows(() => SessionStatement.start(this.#pool, sql, options), options);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return readCatalog(this.#pool, (send) => inspectSqlServerSafety(send));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
