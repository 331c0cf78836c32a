/** Types that describe how the statements of a query log use tables. */

/** A statement of a query log, and how often it ran. */
export interface LoggedStatement {
  readonly sql: string;
  /** Default: 1. */
  readonly runs?: number | undefined;
}

export interface UsageCount {
  /** The number of different statements. Statements that differ only in their literals count once. */
  readonly statements: number;
  readonly runs: number;
}

export type Counted<Entry> = Entry & UsageCount;

/** A table that statements may name. */
export interface HistoryTable {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly {
    readonly name: string;
    /** Whether the column's values must not be kept. */
    readonly isSensitive: boolean;
  }[];
}

export type UsedAggregation = "count" | "count_distinct" | "sum" | "avg" | "min" | "max" | "median";

export interface UsedAggregate {
  readonly agg: UsedAggregation;
  /** The aggregated expression, over columns of the table alone. Undefined if rows are counted. */
  readonly expr: string | undefined;
  /** The condition of `CASE WHEN … THEN` or `FILTER`, over columns of the table. */
  readonly filter: string | undefined;
  /** The name that the aggregate has in most runs. */
  readonly name: string | undefined;
}

export interface UsedCondition {
  /** For example `status = 'paid' AND NOT is_test`. */
  readonly condition: string;
  readonly columns: readonly string[];
}

export interface UsedColumn {
  readonly column: string;
}

export interface UsedJoin {
  readonly columns: readonly string[];
  readonly to: { readonly schema: string; readonly table: string };
  readonly toColumns: readonly string[];
}

/** The use of one table. Each list is sorted by the number of runs, highest first. */
export interface TableUsage extends UsageCount {
  readonly schema: string;
  readonly table: string;
  readonly aggregates: readonly Counted<UsedAggregate>[];
  /** Conditions with values: single conditions, and conditions that occur together. */
  readonly conditions: readonly Counted<UsedCondition>[];
  readonly groups: readonly Counted<UsedColumn>[];
  /** Columns that are compared with bounds, or cut into periods. */
  readonly times: readonly Counted<UsedColumn>[];
  /** The joins of statements that name this table before the joined table. */
  readonly joins: readonly Counted<UsedJoin>[];
}

export interface QueryHistory extends UsageCount {
  readonly tables: readonly TableUsage[];
  /** The number of statements that name none of the tables, are not queries, or cannot be parsed. */
  readonly unread: number;
}
