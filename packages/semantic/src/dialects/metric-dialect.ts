/** How one engine writes what the planner needs. A new engine is one object of this type and a line in `registry.ts`. */
import type { SqlType } from "../ir/sql-expression.ts";
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
  /** The first moment of the period of a date or a timestamp without a zone: a date, or for hours a timestamp. Weeks begin `weekStart` days after Monday. */
  truncate(sql: string, grain: TimeGrain, weekStart: number): string;
  /** Adds periods to a date, or for hours to a timestamp. A day that the month lacks becomes its last. */
  shift(sql: string, count: number, grain: TimeGrain): string;
  /** The wall clock of a zone for a moment in UTC. */
  localTime(sql: string, zone: string, type: SqlType): string;
  /** Equality in which NULL equals NULL. */
  same(left: string, right: string): string;
  /** LIKE in which letters differ from their capitals. `%` and `_` are the only special characters of the pattern. */
  like(sql: string, pattern: string): string;
  /** The median as an aggregate, or undefined if the engine has none. */
  median(sql: string): string | undefined;
  /** Functions that are not written as `NAME(arguments)`. Null: the engine computes something else, so it is refused. */
  readonly functions: Readonly<Record<string, ((args: readonly string[]) => string) | null>>;
  /** NULL of a type, if the engine must know it. */
  nullOf?(type: SqlType): string;
  /** Whether decimals are computed as integers of their last digit, because the engine has no exact decimals. */
  readonly scalesDecimals?: boolean | undefined;
}

export const metricDialectIds = ["sqlite", "duckdb", "postgres", "mysql"] as const;
export type MetricDialectId = (typeof metricDialectIds)[number];
