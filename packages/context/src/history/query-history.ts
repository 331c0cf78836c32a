/** How statements that ran use tables. */

/** A statement of a query log, and how often it ran. */
export interface LoggedStatement {
  readonly sql: string;
  /** Default: 1. */
  readonly runs?: number | undefined;
}

export interface UsageCount {
  /** Statements that differ in more than their literals count separately. */
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
    /** Whether its values must not be kept. */
    readonly isSensitive: boolean;
  }[];
}

export type UsedAggregation = "count" | "count_distinct" | "sum" | "avg" | "min" | "max" | "median";

export interface UsedAggregate {
  readonly agg: UsedAggregation;
  /** Over columns of the table alone; undefined for rows. */
  readonly expr: string | undefined;
  /** Of `CASE WHEN … THEN` or `FILTER`, as conditions over columns of the table. */
  readonly filter: string | undefined;
  /** The name that most statements give it. */
  readonly name: string | undefined;
}

export interface UsedCondition {
  /** Such as `status = 'paid' AND NOT is_test`. */
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

/** The use of one table. Every list begins with the entry that ran most often. */
export interface TableUsage extends UsageCount {
  readonly schema: string;
  readonly table: string;
  readonly aggregates: readonly Counted<UsedAggregate>[];
  /** Conditions with values, both single ones and those that occur together. */
  readonly conditions: readonly Counted<UsedCondition>[];
  readonly groups: readonly Counted<UsedColumn>[];
  /** Columns that are compared with bounds, or cut into periods. */
  readonly times: readonly Counted<UsedColumn>[];
  /** Each join once, from the table that a statement names first. */
  readonly joins: readonly Counted<UsedJoin>[];
}

export interface QueryHistory extends UsageCount {
  readonly tables: readonly TableUsage[];
  /** Statements that name none of the tables, are not queries, or cannot be parsed. */
  readonly unread: number;
}
