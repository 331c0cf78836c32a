/**
 * `Connector` is the definition of one database engine. `EngineConnection` is an open read-only connection to it. A connector is one folder
 * with one definition and one line in the registry. Its test suite is `testConnector` in `packages/warehouse/tests`.
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
  /** The keys of a connection. `type` is a literal, and each key has a description. */
  readonly schema: Schema;
  /** A connection in the form of a configuration file. */
  readonly example: z.input<Schema>;
  /** Keys with credentials. Their values are redacted wherever they would be shown or stored. */
  readonly secrets: SecretKeys;
  readonly dialect: SqlDialect;
  /** Whether its databases are files of this machine, and nothing is sent to a server. Default: false. */
  readonly isLocal?: boolean | undefined;
  /** The address of the database without credentials, such as `localhost:5432/shop`. */
  describe(config: z.output<Schema>): string;
  /**
   * Opens a connection that does not allow any changes.
   *
   * @throws AuthenticationError, NetworkError, ConfigError, or TimeoutError for a locked file, in one sentence with a remedy.
   */
  connect(config: z.output<Schema>, context: ConnectContext): Promise<EngineConnection>;
}

export interface ConnectContext {
  /** Relative paths of files start here. */
  readonly projectDir: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the server must answer. Default: 15,000. */
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * An open connection. It has no scopes, filters or sensitive columns: `Warehouse` adds them. All of its methods may be called at the same
 * time. Methods that must not overlap on the engine wait for each other.
 */
export interface EngineConnection {
  readonly server: ServerInfo;
  /** Schemas that contain no data of the user are left out. `schemas` limits the others; undefined means all. */
  readStructure(schemas: readonly string[] | undefined, options?: CatalogOptions): Promise<WarehouseStructure>;
  /**
   * Returns a text for each table that differs if its rows or its structure may have changed since another call, or undefined if the engine
   * cannot detect changes. Sends a few queries for all tables together, or one cheap query for each.
   */
  readChangeMarks(tables: readonly TableName[], options?: CatalogOptions): Promise<readonly (string | undefined)[]>;
  /** The statements that users sent. Absent if the engine keeps none; undefined if its log is not switched on. */
  readStatementLog?(signal?: AbortSignal): Promise<StatementLog | undefined>;
  /** Functions that only read, as the catalog declares them, in lower case. Absent if the dialect has its own list. */
  readSafeFunctions?(): Promise<ReadonlySet<string>>;
  /**
   * Runs one statement unchanged, in a read-only session, regardless of its content. Rows arrive in batches. The statement ends on the
   * server when the consumer stops, when `signal` is aborted, and after `timeoutMs`.
   *
   * @throws InvalidRequestError with the engine's message, TimeoutError, NetworkError if the connection was lost, or StoppedError.
   */
  stream(sql: string, options: StreamOptions): RowStream;
  /** Reports the protections of the engine itself, and whether the account could write. For `bridle doctor`. */
  inspectSafety(): Promise<readonly SafetyFinding[]>;
  /** The number of statements that this connection has sent so far, for budgets. */
  readonly statements: number;
  /**
   * Call it before a pause. It frees memory by closing resources that the next statement opens again. Absent if there is nothing to free.
   */
  rest?(): Promise<void>;
  close(): Promise<void>;
}

/** The engine's log of statements, for all accounts. */
export interface StatementLog {
  /** For example `pg_stat_statements`. */
  readonly source: string;
  readonly statements: readonly { readonly sql: string; readonly runs: number }[];
  /** The number of statements that the account may not see. */
  readonly hidden: number;
}

export interface ServerInfo {
  /** For example `PostgreSQL`. */
  readonly product: string;
  readonly version: string;
  /** The schema that an unqualified name is looked up in first, such as `public`. */
  readonly defaultSchema?: string | undefined;
  /** The database or project that a name may begin with, as in `shop.public.orders`. */
  readonly catalog?: string | undefined;
  /** Whether the schemas of other catalogs can be read, and are named `catalog.schema`. Default: false. */
  readonly namesCatalogs?: boolean | undefined;
}

/** Options for reading the catalog. */
export interface CatalogOptions {
  readonly signal?: AbortSignal | undefined;
  /** Throws BudgetExceededError instead of sending more statements. Default: no limit. */
  readonly maxStatements?: number | undefined;
  /** Called while tables are read one after another, with the number of tables that are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface StreamOptions extends StatementLimits {
  readonly signal?: AbortSignal | undefined;
  /** Throws BudgetExceededError instead of sending more statements than this, for example after a loss. Default: no limit. */
  readonly maxStatements?: number | undefined;
}

/** The rows of a statement. Iterate it once. */
export interface RowStream extends AsyncIterable<readonly WarehouseRow[]> {
  /** Known before the first rows, even if the result is empty. */
  columns(): Promise<readonly ResultColumn[]>;
  /** The reason why the rows end before the end of the statement. Set when they have ended. */
  readonly truncated: "rows" | "bytes" | undefined;
}

/** One layer of protection, or a weakness of the account. */
export interface SafetyFinding {
  readonly layer: "parser" | "session" | "account";
  readonly ok: boolean;
  /** For example `The account shop is a superuser; use one that can only read.` */
  readonly message: string;
}
