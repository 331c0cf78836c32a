import { ConfigError } from "@bridle/protocol";
import { z } from "zod";
import type {
  CatalogOptions,
  ConnectContext,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StatementLog,
  StreamOptions,
} from "../../port/connector.ts";
import type { TableName, WarehouseStructure } from "../../port/structure.ts";
import { StatementAllowance } from "../../sessions/statement-allowance.ts";
import { readPostgresMarks } from "./catalog/change-marks.ts";
import { inspectAccount } from "./catalog/inspect-account.ts";
import { readPostgresStructure } from "./catalog/read-structure.ts";
import { readPostgresLog } from "./catalog/statement-log.ts";
import { loadParser } from "./dialect/parser.ts";
import { quoteName } from "./dialect/quote.ts";
import { type PostgresAddress, type PostgresSettings, readAddress, tlsOptions } from "./postgres-settings.ts";
import { PortalRows } from "./session/portal-rows.ts";
import { loadDriver, ServerPool } from "./session/server-pool.ts";
import { type QueryCatalog, StatementSession } from "./session/statement-session.ts";

/** The oldest supported version: PostgreSQL 12 is the first with all catalog functions that are used here. */
const oldestVersion = 120000;

const serverSchema = z.object({
  number: z.coerce.number(),
  version: z.string(),
  database: z.string(),
  schema: z.string().nullable(),
  path: z.array(z.string()),
});
const serverQuery = `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
current_database() AS database, current_schema() AS schema, current_schemas(false)::text[] AS path`;

export async function openPostgres(settings: PostgresSettings, context: ConnectContext): Promise<EngineConnection> {
  const address = readAddress(settings);
  await loadParser();
  const pool = await openPool(address, context);
  try {
    const server = await readServer(pool);
    const path = ["pg_catalog", ...server.path, "pg_temp"].map(quoteName).join(", ");
    const session = await StatementSession.open(
      (sql, values) => pool.query(sql, values),
      path,
      settings.functions ?? [],
    );
    return new PostgresConnection(pool, session, server);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Opens a pool of connections. In `prefer` mode, connects without TLS if the server does not support TLS. */
async function openPool(
  address: PostgresAddress,
  { projectDir, signal, connectTimeoutMs }: ConnectContext,
): Promise<ServerPool> {
  const driver = await loadDriver();
  const tls = tlsOptions(address, projectDir);
  const pool = new ServerPool(driver, { ...address, tls }, connectTimeoutMs);
  try {
    await pool.query("SELECT 1", [], signal);
    return pool;
  } catch (error) {
    await pool.close();
    const isRefused = error instanceof ConfigError && error.message.includes("does not offer TLS");
    if (!isRefused || address.sslmode !== "prefer") throw error;
    return new ServerPool(driver, { ...address, tls: undefined }, connectTimeoutMs);
  }
}

/** Reads facts about the server, such as the account's search path before the connection sets its own. */
async function readServer(pool: ServerPool): Promise<z.output<typeof serverSchema>> {
  const server = serverSchema.parse((await pool.queryPlainly(serverQuery))[0]);
  if (server.number >= oldestVersion) return server;
  throw new ConfigError(
    `PostgreSQL at ${pool.account.place} is version ${server.version}. Bridle needs PostgreSQL ${oldestVersion / 10000} or newer.`,
  );
}

class PostgresConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #pool: ServerPool;
  readonly #session: StatementSession;

  constructor(pool: ServerPool, session: StatementSession, server: z.output<typeof serverSchema>) {
    this.#pool = pool;
    this.#session = session;
    const { version, database: catalog, schema } = server;
    this.server = { product: "PostgreSQL", version, catalog, defaultSchema: schema ?? undefined };
  }

  get statements(): number {
    return this.#pool.statements;
  }

  async readStructure(schemas: readonly string[] | undefined, options?: CatalogOptions): Promise<WarehouseStructure> {
    const query = this.#querier(options);
    await this.#session.reloadTypes(query);
    return readPostgresStructure(query, this.#session, schemas);
  }

  readChangeMarks(tables: readonly TableName[], options?: CatalogOptions): Promise<readonly (string | undefined)[]> {
    return readPostgresMarks(this.#querier(options), tables);
  }

  #querier({ signal, maxStatements }: CatalogOptions = {}): QueryCatalog {
    const allowance = new StatementAllowance(maxStatements);
    return (sql, values) => this.#pool.query(sql, values, signal, allowance);
  }

  readStatementLog(signal?: AbortSignal): Promise<StatementLog | undefined> {
    return readPostgresLog((sql, values) => this.#pool.query(sql, values, signal));
  }

  async readSafeFunctions(): Promise<ReadonlySet<string>> {
    return (await this.#session.readSafeCalls()).safe;
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new PortalRows(sql, options, this.#pool, this.#session);
  }

  async inspectSafety(): Promise<readonly SafetyFinding[]> {
    const parser: SafetyFinding = {
      layer: "parser",
      ok: true,
      message: "Statements are checked with the parser of PostgreSQL.",
    };
    return [parser, ...(await inspectAccount((sql, values) => this.#pool.query(sql, values)))];
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
