/** How one engine writes what the planner needs. A new engine is one object of this type and a line in `registry.ts`. */
import type { AggregateName, SqlColumn, SqlType } from "../ir/sql-expression.ts";
import type { TimeGrain } from "../models/model-schema.ts";

export interface MetricDialect {
  readonly id: MetricDialectId;
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** A literal of `2024-01-31`. */
  date(text: string): string;
  /** A literal of `2024-01-31 12:30:00`. */
  timestamp(text: string): string;
  /** The names of types in CAST. */
  readonly castTypes: Readonly<Record<"integer" | "double" | "text" | "date" | "timestamp", string>>;
  /** The value of a column of a table, if not every stored value of its type is written as other values of the type are. */
  stored?(sql: string, type: SqlType): string;
  /** The first moment of the period of a date or a timestamp without a zone: a date, or for hours a timestamp. Weeks begin `weekStart` days after Monday. */
  truncate(sql: string, grain: TimeGrain, weekStart: number): string;
  /** Adds periods to a date or a timestamp, and keeps its type. A day that the month lacks becomes its last. */
  shift(sql: string, count: number, grain: TimeGrain, type: SqlType): string;
  /** The wall clock of a zone for a moment in UTC. */
  localTime(sql: string, zone: string, type: SqlType): string;
  /** Equality in which NULL equals NULL. */
  same(left: string, right: string): string;
  /** LIKE in which letters differ from their capitals. `%` and `_` are the only special characters of the pattern. */
  like(sql: string, pattern: string): string;
  /** LIKE in which letters equal their capitals. Default: that of the small letters of both. */
  caselessLike?(sql: string, pattern: string): string;
  /** The median as an aggregate, or undefined if the engine has none. */
  median(sql: string): string | undefined;
  /** Functions that are not written as `NAME(arguments)`. Null: the engine computes something else, so it is refused. */
  readonly functions: Readonly<Record<string, ((args: readonly string[]) => string) | null>>;
  /** NULL of a type, if the engine must know it. */
  nullOf?(type: SqlType): string;
  /** Whether decimals are computed as integers of their last digit, because the engine has no exact decimals. */
  readonly scalesDecimals?: boolean | undefined;
  /** A literal of a decimal, if `12.50` is something else. */
  decimal?(text: string, scale: number): string;
  /** The digits after the point that a product of decimals keeps. One with more is refused. Default: enough. */
  readonly greatestScale?: number | undefined;
  /** Aggregates that are not written as `NAME(operand)`. The operand of a count of rows is `*`. */
  readonly aggregates?:
    | Readonly<Partial<Record<AggregateName, (operand: string, type: SqlType) => string>>>
    | undefined;
  /** Whether conditions are values. Default: true. Without, a value is a bit. */
  readonly hasBooleans?: boolean | undefined;
  /** Whether `text_identity` and `text_order` of one side need the same of the other. Default: false. */
  readonly comparesWrapped?: boolean | undefined;
  /** With `comparesWrapped`: whether this column may be without its form, so that an index finds it. Default: none. */
  comparedPlain?(column: SqlColumn): boolean;
  /** The word after WITH for relations that refer to themselves. Default: RECURSIVE. */
  readonly recursive?: string | undefined;
  /** How many rows at most: LIMIT at the end, which is the default, or TOP after SELECT. */
  readonly limits?: "limit" | "top" | undefined;
  readonly joins?: JoinRules | undefined;
  /**
   * A sum, difference or product of integers of columns, if it would wrap around or lose digits without an error. `sql` is the whole,
   * and `left` its first operand.
   */
  integerResult?(sql: string, left: string): string;
  /** Whether a subquery may name columns of the statement around it. Default: true. */
  readonly correlates?: boolean | undefined;
}

interface JoinRules {
  /** A column of the joined side that is NULL in rows without a match, if the engine needs that to be said. */
  nullableColumn?(column: string): string;
  /** What the condition of a LEFT JOIN must have. With `equalities`, an inner join with others is written as a cross join. */
  readonly conditions: "equalities" | "an equality";
}

export const metricDialectIds = [
  "sqlite",
  "duckdb",
  "postgres",
  "mysql",
  "clickhouse",
  "sqlserver",
  "snowflake",
  "bigquery",
] as const;
export type MetricDialectId = (typeof metricDialectIds)[number];
