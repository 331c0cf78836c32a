/**
 * How one engine writes the constructs that the planner needs. To add an engine, write an object of this type and add it to `registry.ts`.
 */

import type { TimeGrain } from "../expressions/time-grains.ts";
import type { AggregateName, SqlColumn, SqlType } from "../ir/sql-expression.ts";

export interface MetricDialect {
  readonly id: MetricDialectId;
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** Writes a date literal for a string such as `2024-01-31`. */
  date(text: string): string;
  /** Writes a timestamp literal for a string such as `2024-01-31 12:30:00`. */
  timestamp(text: string): string;
  /** The type names in CAST. */
  readonly castTypes: Readonly<Record<"integer" | "double" | "text" | "date" | "timestamp", string>>;
  /** Converts a stored column value to the usual form of its type, if the engine can store it in another form. */
  stored?(sql: string, type: SqlType): string;
  /**
   * Computes the first moment of the period of a date or a timestamp without a zone. The result is a date, or for hours a timestamp. Weeks
   * begin `weekStart` days after Monday.
   */
  truncate(sql: string, grain: TimeGrain, weekStart: number): string;
  /**
   * Adds periods to a date or a timestamp, whose type stays the same. If the resulting month does not have the day, the result is the
   * month's last day.
   */
  shift(sql: string, count: number, grain: TimeGrain, type: SqlType): string;
  /** Converts a moment in UTC to the local time of a zone. */
  localTime(sql: string, zone: string, type: SqlType): string;
  /** Writes null-safe equality: NULL equals NULL. */
  same(left: string, right: string): string;
  /** Writes a case-sensitive LIKE. `%` and `_` are the only special characters in the pattern. */
  like(sql: string, pattern: string): string;
  /** Writes a case-insensitive LIKE. Default: `like` with both sides in lower case. */
  caselessLike?(sql: string, pattern: string): string;
  /** Writes the median as an aggregate; undefined if the engine has none. */
  median(sql: string): string | undefined;
  /**
   * Functions that are not written as `NAME(arguments)`. Null means that the function is refused, because the engine would compute
   * something else.
   */
  readonly functions: Readonly<Record<string, ((args: readonly string[]) => string) | null>>;
  /** Writes NULL with a type, if the engine needs to know the type. */
  nullOf?(type: SqlType): string;
  /** Whether decimals are computed as integers of their last digit, because the engine has no exact decimals. */
  readonly scalesDecimals?: boolean | undefined;
  /** Writes a decimal literal, if the engine reads `12.50` as another type. */
  decimal?(text: string, scale: number): string;
  /** The maximum number of decimal places that a product of decimals keeps. A product with more places is refused. Default: no limit. */
  readonly greatestScale?: number | undefined;
  /** Aggregates that are not written as `NAME(operand)`. The operand of a count of rows is `*`. */
  readonly aggregates?:
    | Readonly<Partial<Record<AggregateName, (operand: string, type: SqlType) => string>>>
    | undefined;
  /** Whether conditions are values. Default: true. If false, a value is a bit. */
  readonly hasBooleans?: boolean | undefined;
  /** Whether `text_identity` or `text_order` on one side of a comparison requires the same form on the other side. Default: false. */
  readonly comparesWrapped?: boolean | undefined;
  /** With `comparesWrapped`, whether this column may be compared without its form, so that the engine can use an index. Default: false. */
  comparedPlain?(column: SqlColumn): boolean;
  /** The keyword after WITH for recursive relations. Default: RECURSIVE. */
  readonly recursive?: string | undefined;
  /** How the number of rows is limited: with LIMIT at the end (default), or with TOP after SELECT. */
  readonly limits?: "limit" | "top" | undefined;
  readonly joins?: JoinRules | undefined;
  /**
   * Rewrites a sum, difference or product of integer columns that would wrap around or lose digits without an error. `sql` is the whole
   * expression, and `left` its first operand.
   */
  integerResult?(sql: string, left: string): string;
  /** Whether a subquery may refer to columns of the enclosing statement. Default: true. */
  readonly correlates?: boolean | undefined;
}

interface JoinRules {
  /** Marks a column of the joined side as nullable, for engines that require it. Such a column is NULL in rows without a match. */
  nullableColumn?(column: string): string;
  /**
   * The required form of a LEFT JOIN's condition. With `equalities`, an inner join that has other conditions is written as a cross join.
   */
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
