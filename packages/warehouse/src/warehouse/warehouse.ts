/** A connection with its rules: the readable data, the callers and the limits. Everything above this package uses only this. */

import type { CatalogOptions, EngineConnection, SafetyFinding, ServerInfo } from "../port/connector.ts";
import type { DialectId } from "../port/dialect.ts";
import type { StatementLimits } from "../port/limits.ts";
import type { TableName, WarehouseStructure } from "../port/structure.ts";
import type { ResultColumn, WarehouseRow } from "../port/values.ts";

/**
 * The tables that may be read. A pattern is `schema.table`, where `*` stands for any characters in either part. `schema` alone means all of
 * its tables. A table is in scope if a pattern of `include` matches it and none of `exclude` does.
 */
export interface TableScope {
  /** Default: everything. */
  readonly include?: readonly string[] | undefined;
  /** Default: nothing. */
  readonly exclude?: readonly string[] | undefined;
}

export interface QueryOptions {
  /** Narrows the scope of the connection for this caller. */
  readonly scope?: TableScope | undefined;
  /** A missing limit is that of the connection. A limit above that of the connection has no effect. */
  readonly limits?: { readonly [Limit in keyof StatementLimits]?: number | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly WarehouseRow[];
  readonly truncated: "rows" | "bytes" | undefined;
  /** The tables that the statement read. */
  readonly tables: readonly TableName[];
  /** Sensitive columns of these tables, as `schema.table.column`. Their values are replaced by digests in the whole statement. */
  readonly masked: readonly string[];
  /** Tables with rows that a row filter of the connection hides, as `schema.table`. */
  readonly filtered: readonly string[];
  readonly durationMs: number;
}

export interface Warehouse {
  /** The name of the connection in `bridle.yaml`. */
  readonly name: string;
  readonly dialect: DialectId;
  readonly server: ServerInfo;
  /** The time limit of one statement in the settings, in milliseconds; undefined if they set none. */
  readonly timeLimitMs?: number | undefined;
  /** Returns the structure within the scope. */
  readStructure(options?: Pick<QueryOptions, "scope"> & CatalogOptions): Promise<WarehouseStructure>;
  /**
   * Runs one statement that reads. The statement is checked, its tables are limited to the scope and the row filters, sensitive columns are
   * replaced by digests, and it runs read-only.
   *
   * @throws StatementRefusedError before it runs; InvalidRequestError with the engine's message; TimeoutError, NetworkError, StoppedError.
   */
  query(statement: string, options?: QueryOptions): Promise<QueryResult>;
  /**
   * The connection below the rules, for the scan. Values that it reads from sensitive columns must not leave the process. The caller must
   * apply scope and row filters, with `isInScope` and `relationOf`.
   */
  readonly engine: EngineConnection;
  isInScope(table: TableName, scope?: TableScope): boolean;
  /** Returns the quoted table, or a parenthesized SELECT of the rows that the connection's row filter keeps. */
  relationOf(table: TableName): string;
  /** Returns the condition of the settings that the rows of the table must meet. */
  filterOf(table: TableName): string | undefined;
  /** Whether the settings mark the column as sensitive (true) or as not sensitive (false); undefined if they do not name it. */
  markedSensitive(column: TableName & { readonly column: string }): boolean | undefined;
  /** Adds columns that a scan recognised as sensitive. `query` masks them from then on. */
  addSensitive(columns: readonly (TableName & { readonly column: string })[]): void;
  /**
   * Lists the patterns of the settings that match nothing in the schemas that the scope can reach, as `sensitive: crm.customer.notes`. They
   * are often misspelt. It uses the structure that was last read.
   */
  findUnusedPatterns(signal?: AbortSignal): Promise<readonly string[]>;
  /**
   * Lists the views of the scope that are left out because they show rows of tables outside of it, or rows that a filter hides. It uses the
   * structure that was last read.
   */
  findLeftOutViews(signal?: AbortSignal): Promise<readonly TableName[]>;
  inspectSafety(): Promise<readonly SafetyFinding[]>;
  close(): Promise<void>;
}
