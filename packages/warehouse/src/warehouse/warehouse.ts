/** A connection with its rules: readable data, callers and limits. Other packages use only this. */

import type { CatalogOptions, EngineConnection, SafetyFinding, ServerInfo } from "../port/connector.ts";
import type { DialectId } from "../port/dialect.ts";
import type { StatementLimits } from "../port/limits.ts";
import type { TableName, WarehouseStructure } from "../port/structure.ts";
import type { ResultColumn, WarehouseRow } from "../port/values.ts";

/**
 * The tables that may be read. A pattern is `schema.table`, where `*` stands for any characters in either part. A pattern that is only a
 * `schema` stands for all tables of that schema. A table is in scope if a pattern of `include` matches it and none of `exclude` does.
 */
export interface TableScope {
  /** Patterns of tables that may be read. Default: everything. */
  readonly include?: readonly string[] | undefined;
  /** Patterns of tables that may not be read. Default: nothing. */
  readonly exclude?: readonly string[] | undefined;
}

export interface QueryOptions {
  /** Narrows the connection's scope for this caller. */
  readonly scope?: TableScope | undefined;
  /** For a missing limit, the connection's limit applies. A limit above the connection's has no effect. */
  readonly limits?: { readonly [Limit in keyof StatementLimits]?: number | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly WarehouseRow[];
  readonly truncated: "rows" | "bytes" | undefined;
  /** The tables that the statement read. */
  readonly tables: readonly TableName[];
  /** Sensitive columns of these tables, as `schema.table.column`. In the whole statement, their values are replaced with digests. */
  readonly masked: readonly string[];
  /** Tables that have a row filter, as `schema.table`. */
  readonly filtered: readonly string[];
  readonly durationMs: number;
}

export interface Warehouse {
  /** The name of the connection in `bridle.yaml`. */
  readonly name: string;
  readonly dialect: DialectId;
  readonly server: ServerInfo;
  /** The settings' time limit for one statement, in milliseconds; undefined if the settings do not set one. */
  readonly timeLimitMs?: number | undefined;
  /** Returns the structure within the scope. */
  readStructure(options?: Pick<QueryOptions, "scope"> & CatalogOptions): Promise<WarehouseStructure>;
  /**
   * Runs one read-only statement. Checks it, limits its tables to the scope and the row filters, replaces sensitive values with digests,
   * and runs it read-only.
   *
   * @throws StatementRefusedError before it runs; InvalidRequestError with the engine's message; TimeoutError, NetworkError, StoppedError.
   */
  query(statement: string, options?: QueryOptions): Promise<QueryResult>;
  /**
   * The connection without the rules, for the scan. Values that the scan reads from sensitive columns must not leave the process. The scan
   * must apply scope and row filters itself, with `isInScope` and `relationOf`.
   */
  readonly engine: EngineConnection;
  isInScope(table: TableName, scope?: TableScope): boolean;
  /** Returns the quoted table, or a parenthesized SELECT of the rows that the connection's row filter keeps. */
  relationOf(table: TableName): string;
  /** Returns the condition in the settings that the table's rows must meet. */
  filterOf(table: TableName): string | undefined;
  /** Whether the settings mark the column as sensitive (true) or as not sensitive (false); undefined if they do not name the column. */
  markedSensitive(column: TableName & { readonly column: string }): boolean | undefined;
  /** Adds columns that a scan recognised as sensitive. From then on, `query` replaces their values. */
  addSensitive(columns: readonly (TableName & { readonly column: string })[]): void;
  /**
   * Lists the patterns in the settings that match nothing in the schemas that the scope can reach, in the form `sensitive:
   * crm.customer.notes`. Such patterns are often misspelt. Uses the structure that was last read.
   */
  findUnusedPatterns(signal?: AbortSignal): Promise<readonly string[]>;
  /**
   * Lists the views in scope that are left out because they show rows of tables outside the scope, or rows that a filter hides. Uses the
   * structure that was last read.
   */
  findLeftOutViews(signal?: AbortSignal): Promise<readonly TableName[]>;
  inspectSafety(): Promise<readonly SafetyFinding[]>;
  close(): Promise<void>;
}
