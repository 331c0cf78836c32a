/** The part of an engine that needs no connection: how its SQL is written, checked and rewritten. */
import type { TableName, TableStructure } from "./structure.ts";

/** The facts about the warehouse that the check of a statement needs. */
export interface StatementContext {
  /**
   * Chooses the replacement for a table that a statement names. Contract: the dialect calls it for each reference to a table or view,
   * whether in a join, a subquery or a common table expression. The name is the one in the statement, split at its dots and unquoted. The
   * dialect replaces the reference with `relation` under the same alias. It does not call `resolve` for the statement's own common table
   * expressions.
   *
   * @throws StatementRefusedError if the table is unknown or outside the scope.
   */
  resolve(name: readonly string[]): ResolvedTable;
  /**
   * The engine's functions that only read, in lower case, if the catalog declares them. Dialects with their own list of functions ignore
   * this list.
   */
  readonly safeFunctions?: ReadonlySet<string> | undefined;
}

export interface ResolvedTable extends TableName {
  /** A parenthesized SELECT to read instead of the table. If undefined, the table itself is read, by its full name. */
  readonly relation?: string | undefined;
}

export interface SqlDialect {
  readonly id: DialectId;
  /** Quotes an identifier, which may contain any characters. */
  quoteIdentifier(name: string): string;
  /** Quotes a table by its full name. */
  quoteTable(name: TableName): string;
  /** Writes any string as a literal. */
  quoteText(text: string): string;
  /**
   * Returns an expression for a keyed digest of a value: text that is equal for equal values and does not reveal the value. `column` is
   * already quoted. NULL stays NULL.
   */
  digest(column: string, key: string): string;
  /**
   * SQL such as `OFFSET 0` that is appended to a SELECT in parentheses, so that the engine applies the conditions of this SELECT before
   * those of the enclosing statement. Without it, an error of a later condition may reveal rows that a filter hides.
   */
  readonly fence?: string | undefined;
  /**
   * Whether the service bills a statement for all values of the columns that it reads, even if it returns only a few rows. If so, Bridle
   * draws a sample. Default: false.
   */
  readonly billsColumns?: boolean | undefined;
  /**
   * Checks that a text is exactly one read-only statement, and returns the statement to send, with its tables replaced. Refuses EXPLAIN,
   * and functions that return the text of a running statement, such as `current_query`, because that text contains the key of the digests.
   *
   * @throws StatementRefusedError with the reason, the part of the statement, and the remedy.
   */
  check(statement: string, context: StatementContext): Promise<string>;
  /**
   * Checks the condition of a row filter, such as `region = 'EU'`: one expression without a subquery that only refers to columns of its
   * table.
   *
   * @throws StatementRefusedError
   */
  checkCondition(condition: string, columns: readonly string[]): Promise<void>;
  /**
   * Returns the SELECT that reads the given columns of a table for profiles: all rows, or a repeatable sample. Some engines cannot sample a
   * view, and some drivers cannot read every type exactly. Pass `kind` and `columns` (of a TableStructure) if they are known.
   */
  selectSample(
    name: TableName & Partial<Pick<TableStructure, "kind" | "columns">>,
    columns: readonly string[],
    sample?: SampleSize | undefined,
  ): SampleStatement;
}

export interface SampleSize {
  /** The approximate number of rows to read. */
  readonly rows: number;
  /** The table's number of rows, if known. */
  readonly of: number;
  readonly seed: number;
}

export interface SampleStatement {
  readonly sql: string;
  /** The sampling method, for the profile: `bernoulli 2 %, seed 7`, or `all rows`. */
  readonly method: string;
}

export const dialectIds = [
  "sqlite",
  "duckdb",
  "postgres",
  "mysql",
  "clickhouse",
  "sqlserver",
  "bigquery",
  "snowflake",
] as const;
export type DialectId = (typeof dialectIds)[number];
