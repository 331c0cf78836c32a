import { ConfigError, NetworkError } from "@bridle/protocol";
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
import { throwIfStopped } from "../../../sessions/session-pool.ts";
import { defaultConnectMs } from "../../../sessions/silent-server.ts";
import { StatementAllowance } from "../../../sessions/statement-allowance.ts";
import { readSnowflakeMarks } from "../catalog/change-marks.ts";
import { type AskCatalog, NamedRows } from "../catalog/named-rows.ts";
import { inspectSnowflakeSafety } from "../catalog/safety.ts";
import { readSnowflakeStructure } from "../catalog/structure.ts";
import { readSnowflakeCredentials } from "../login/credentials.ts";
import { LoginTokens } from "../login/login-token.ts";
import { type SnowflakeConfig, storedName } from "../snowflake-settings.ts";
import { SnowflakeClient } from "./snowflake-client.ts";
import { SnowflakeStatement } from "./snowflake-statement.ts";

/** The time limit for one of the connector's own statements, in milliseconds. */
const ownTimeoutMs = 120_000;

export async function openSnowflake(config: SnowflakeConfig, context: ConnectContext): Promise<EngineConnection> {
  const tokens = new LoginTokens(readSnowflakeCredentials(config, context.projectDir), config.account);
  const client = new SnowflakeClient(config, tokens);
  const connection = new SnowflakeConnection(client, config);
  client.answerMs = context.connectTimeoutMs ?? defaultConnectMs;
  await connection.start(context.signal);
  client.answerMs = undefined;
  return connection;
}

class SnowflakeConnection implements EngineConnection {
  #server: ServerInfo = { product: "Snowflake", version: "" };
  readonly #client: SnowflakeClient;
  readonly #config: SnowflakeConfig;
  #isClosed = false;

  constructor(client: SnowflakeClient, config: SnowflakeConfig) {
    this.#client = client;
    this.#config = config;
  }

  /** Checks that the database, schema and role in the settings can be used. The check needs no running warehouse. */
  async start(signal: AbortSignal | undefined): Promise<void> {
    const sql =
      'SELECT CURRENT_VERSION() AS "version", CURRENT_DATABASE() AS "database", CURRENT_SCHEMA() AS "schema", CURRENT_WAREHOUSE() AS "warehouse", CURRENT_ROLE() AS "role"';
    const rows = await this.#ask(sql, signal);
    const [found] = rows.all();
    const [version, database, schema, warehouse, role] = ["version", "database", "schema", "warehouse", "role"].map(
      (name) => (found === undefined ? undefined : rows.text(found, name)),
    );
    const { host } = this.#client;
    if (!rows.has("version"))
      throw new ConfigError(
        `The user of ${host} has QUOTED_IDENTIFIERS_IGNORE_CASE, which changes the meaning of names in quotes. Run ALTER USER … SET QUOTED_IDENTIFIERS_IGNORE_CASE = FALSE.`,
      );
    if (database === undefined)
      throw new ConfigError(
        `The database ${storedName(this.#config.database)} of ${host} does not exist, or the role ${role ?? "of the user"} may not use it. Correct "database" or "role".`,
      );
    if (this.#config.schema !== undefined && schema === undefined)
      throw new ConfigError(
        `The schema ${storedName(this.#config.schema)} of ${database} does not exist, or the role ${role ?? "of the user"} may not use it. Correct "schema" or "role".`,
      );
    if (warehouse === undefined)
      throw new ConfigError(
        `There is no warehouse to run statements at ${host}. Set "warehouse" to one that the role ${role ?? "of the user"} may use.`,
      );
    this.#server = { product: "Snowflake", version: version ?? "", defaultSchema: schema, catalog: database };
  }

  get server(): ServerInfo {
    return this.#server;
  }

  get statements(): number {
    return this.#client.statements;
  }

  readStructure(schemas: readonly string[] | undefined, options?: CatalogOptions): Promise<WarehouseStructure> {
    return readSnowflakeStructure(this.#asker(options), this.#database, schemas);
  }

  readChangeMarks(tables: readonly TableName[], options?: CatalogOptions): Promise<readonly (string | undefined)[]> {
    return readSnowflakeMarks(this.#asker(options), this.#database, tables);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    if (this.#isClosed) throw new NetworkError("The connection to Snowflake is closed. Open it again.");
    return new StatementRows(async () => new SnowflakeStatement(this.#client, this.#config, sql, options), options);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return inspectSnowflakeSafety((sql) => this.#ask(sql, undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.close();
  }

  get #database(): string {
    return storedName(this.#config.database);
  }

  #asker({ signal, maxStatements }: CatalogOptions = {}): AskCatalog {
    const allowance = new StatementAllowance(maxStatements);
    return async (sql) => {
      allowance.take();
      return this.#ask(sql, signal);
    };
  }

  /** Runs one of the connector's own queries. Like a caller's query, it can only read. */
  async #ask(sql: string, signal: AbortSignal | undefined): Promise<NamedRows> {
    throwIfStopped(signal);
    const limits = { maxRows: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY, timeoutMs: ownTimeoutMs };
    const stream = this.stream(sql, { ...limits, signal });
    const columns = await stream.columns();
    const rows = [];
    for await (const batch of stream) rows.push(...batch);
    return new NamedRows(columns, rows);
  }
}
