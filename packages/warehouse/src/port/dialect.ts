/** The pure part of an engine: how its SQL is written, checked and rewritten. No connection is needed. */
import type { TableName, TableStructure } from "./structure.ts";

/** What the check of a statement needs to know about the warehouse. */
export interface StatementContext {
  /**
   * Decides what a statement reads instead of a table that it names. Contract: the dialect calls it for each reference to a
   * table or view, whether in a join, a subquery or a common table expression, with the name as the statement writes it, split
   * at its dots and unquoted. It replaces the reference by `relation` under the same alias. It is not called for the
   * statement's own common table expressions.
   *
   * @throws StatementRefusedError if the table is unknown or outside the scope.
   */
  resolve(name: readonly string[]): ResolvedTable;
  /** The engine's functions that read only, in lower case, if the catalog says so. Engines with a list of their own ignore it. */
  readonly safeFunctions?: ReadonlySet<string> | undefined;
}

export interface ResolvedTable extends TableName {
  /** A parenthesized SELECT that is read instead, or undefined if the table is read as it is, by its full name. */
  readonly relation?: string | undefined;
}

export interface SqlDialect {
  readonly id: DialectId;
  /** Quotes an identifier, whatever it contains. */
  quoteIdentifier(name: string): string;
  /** Quotes a table by its full name. */
  quoteTable(name: TableName): string;
  /** Writes a text as a literal, whatever it contains. */
  quoteText(text: string): string;
  /**
   * An expression with a text that is equal for equal values and from which the value cannot be read: a keyed digest.
   * `column` is quoted already. NULL stays NULL.
   */
  digest(column: string, key: string): string;
  /**
   * Text after a SELECT in parentheses, such as `OFFSET 0`, that makes the engine apply its conditions before those of the
   * statement around it. Without it, an error of a later condition may tell something about rows that a filter hides.
   */
  readonly fence?: string | undefined;
  /**
   * Whether a statement is billed for all values of the columns that it reads, even if few of its rows are taken. Then a few rows
   * are drawn as a sample. Default: false.
   */
  readonly billsColumns?: boolean | undefined;
  /**
   * Checks that a text is exactly one statement that only reads, and returns it with its tables replaced, as it will be sent. It
   * refuses functions that return the text of a running statement, such as `current_query`, and EXPLAIN: that text contains the
   * key of the digests.
   *
   * @throws StatementRefusedError with the reason, the part of the statement, and what to do instead.
   */
  check(statement: string, context: StatementContext): Promise<string>;
  /**
   * Checks the condition of a row filter, such as `region = 'EU'`: one expression without a subquery, which names columns
   * of its table only.
   *
   * @throws StatementRefusedError
   */
  checkCondition(condition: string, columns: readonly string[]): Promise<void>;
  /**
   * The SELECT that reads the given columns of a table for profiles: all rows, or a repeatable sample. Some engines cannot sample
   * a view, and some drivers cannot read each type exactly, so pass `kind` and `columns` if they are known, as a TableStructure
   * does.
   */
  selectSample(
    name: TableName & Partial<Pick<TableStructure, "kind" | "columns">>,
    columns: readonly string[],
    sample?: SampleSize | undefined,
  ): SampleStatement;
}

export interface SampleSize {
  /** About how many rows to read. */
  readonly rows: number;
  /** How many rows the table has, as far as it is known. */
  readonly of: number;
  readonly seed: number;
}

export interface SampleStatement {
  readonly sql: string;
  /** How the sample is drawn, for the profile: such as `bernoulli 2 %, seed 7`, or `all rows`. */
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
