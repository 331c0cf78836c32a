/**
 * `Connector` is the definition of one database engine. `EngineConnection` is an open read-only connection to it. A new connector needs a
 * folder with a definition, and a line in the registry. Its test suite is `testConnector` in `packages/warehouse/tests`.
 */
import type { SecretKeys } from "@bridle/protocol";
import type { z } from "zod";
import type { SqlDialect } from "./dialect.ts";
import type { StatementLimits } from "./limits.ts";
import type { TableName, WarehouseStructure } from "./structure.ts";
import type { ResultColumn, WarehouseRow } from "./values.ts";

/**
 * The definition of an engine. It is loaded with every `bridle.yaml`, so it must not import a driver. `connect` imports the driver, and
 * throws a ConfigError that names the package if the driver is not installed.
 */
export interface Connector<Schema extends z.ZodObject = z.ZodObject> {
  /** The value of `type` in `context.connections`. */
  readonly type: string;
  /** The settings of a connection. `type` is a literal, and each key has a description. */
  readonly schema: Schema;
  /** An example of a connection, as a configuration file contains it. */
  readonly example: z.input<Schema>;
  /** The keys whose values are credentials. These values are redacted wherever they would be shown or stored. */
  readonly secrets: SecretKeys;
  readonly dialect: SqlDialect;
  /** Whether the databases are files on this machine, so that nothing is sent to a server. Default: false. */
  readonly isLocal?: boolean | undefined;
  /** Returns the database's address without credentials, such as `localhost:5432/shop`. */
  describe(config: z.output<Schema>): string;
  /**
   * Opens a connection that does not allow any changes.
   *
   * @throws AuthenticationError, NetworkError, ConfigError, or TimeoutError for a locked file, in one sentence with a remedy.
   */
  connect(config: z.output<Schema>, context: ConnectContext): Promise<EngineConnection>;
}

export interface ConnectContext {
  /** Relative file paths are resolved against this folder. */
  readonly projectDir: string;
  readonly signal?: AbortSignal | undefined;
  /** How many milliseconds the server may take to answer. Default: 15,000. */
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * An open connection. It knows no scopes, filters or sensitive columns: `Warehouse` adds them. All methods may be called at the same time;
 * those that must not overlap on the engine wait for each other.
 */
export interface EngineConnection {
  readonly server: ServerInfo;
  /** Reads the structure, without the engine's own schemas. `schemas` limits the other schemas; undefined means all. */
  readStructure(schemas: readonly string[] | undefined, options?: CatalogOptions): Promise<WarehouseStructure>;
  /**
   * Returns a change marker for each table: a string that differs from that of an earlier call if the table's rows or structure may have
   * changed. Undefined if the engine cannot detect changes. Sends a few queries for all tables together, or one cheap query for each table.
   */
  readChangeMarks(tables: readonly TableName[], options?: CatalogOptions): Promise<readonly (string | undefined)[]>;
  /** Reads the statements that users sent. Absent if the engine keeps none; undefined if its log is not switched on. */
  readStatementLog?(signal?: AbortSignal): Promise<StatementLog | undefined>;
  /** Lists the functions that only read, as the catalog declares them, in lower case. Absent if the dialect has its own list. */
  readSafeFunctions?(): Promise<ReadonlySet<string>>;
  /**
   * Runs one statement unchanged, in a read-only session, regardless of its content. Rows arrive in batches. The statement ends on the
   * server when the consumer stops, when `signal` is aborted, and after `timeoutMs`.
   *
   * @throws InvalidRequestError with the engine's message, TimeoutError, NetworkError if the connection was lost, or StoppedError.
   */
  stream(sql: string, options: StreamOptions): RowStream;
  /** Reports the engine's own protections, and whether the account could write, for `bridle doctor`. */
  inspectSafety(): Promise<readonly SafetyFinding[]>;
  /** The number of statements that this connection has sent so far. Budgets count them. */
  readonly statements: number;
  /** Frees memory before a pause, by closing resources that the next statement opens again. Absent if there is nothing to free. */
  rest?(): Promise<void>;
  close(): Promise<void>;
}

/** The engine's statement log, for all accounts. */
export interface StatementLog {
  /** Where the log comes from, for example `pg_stat_statements`. */
  readonly source: string;
  readonly statements: readonly { readonly sql: string; readonly runs: number }[];
  /** The number of statements that the account may not see. */
  readonly hidden: number;
}

export interface ServerInfo {
  /** The product's name, for example `PostgreSQL`. */
  readonly product: string;
  readonly version: string;
  /** The schema that an unqualified name is looked up in first, such as `public`. */
  readonly defaultSchema?: string | undefined;
  /** The database or project that a name may begin with, as in `shop.public.orders`. */
  readonly catalog?: string | undefined;
  /** Whether schemas of other catalogs can be read, under the name `catalog.schema`. Default: false. */
  readonly namesCatalogs?: boolean | undefined;
}

/** Options for reading the catalog. */
export interface CatalogOptions {
  readonly signal?: AbortSignal | undefined;
  /** The maximum number of statements. Reading throws BudgetExceededError instead of sending more. Default: no limit. */
  readonly maxStatements?: number | undefined;
  /** Called while tables are read one after another, with the number of tables that are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface StreamOptions extends StatementLimits {
  readonly signal?: AbortSignal | undefined;
  /**
   * The maximum number of statements. The stream throws BudgetExceededError instead of sending more, for example after a lost connection.
   * Default: no limit.
   */
  readonly maxStatements?: number | undefined;
}

/** The rows of a statement. The stream can be iterated only once. */
export interface RowStream extends AsyncIterable<readonly WarehouseRow[]> {
  /** Returns the columns. They are known before the first rows, even if the result is empty. */
  columns(): Promise<readonly ResultColumn[]>;
  /** The limit that cut the rows, if one did. Set when the rows have ended. */
  readonly truncated: "rows" | "bytes" | undefined;
}

/** One layer of protection, or a weakness of the account. */
export interface SafetyFinding {
  readonly layer: "parser" | "session" | "account";
  readonly ok: boolean;
  /** A sentence, for example `The account shop is a superuser; use one that can only read.` */
  readonly message: string;
}
