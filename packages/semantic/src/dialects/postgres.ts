import type { TimeGrain } from "../expressions/time-grains.ts";
import type { SqlType } from "../ir/sql-expression.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { withSingleCapitals } from "./single-capitals.ts";
import {
  doubleQuoted,
  extractedFields,
  infixConcat,
  notDistinct,
  plainLike,
  simpleLower,
  simpleUpper,
  singleQuoted,
  standardFunctions,
} from "./spelling.ts";

/** Truncates a time. `date_trunc` of a date would return a timestamp with the session's time zone. */
function truncate(sql: string, grain: TimeGrain, weekStart: number): string {
  const moment = `CAST(${sql} AS TIMESTAMP)`;
  if (grain === "hour") return `date_trunc('hour', ${moment})`;
  if (grain !== "week" || weekStart === 0) return `CAST(date_trunc('${grain}', ${moment}) AS DATE)`;
  const days = `INTERVAL '${weekStart} days'`;
  return `CAST(date_trunc('week', ${moment} - ${days}) + ${days} AS DATE)`;
}

function shift(sql: string, count: number, grain: TimeGrain, type: SqlType): string {
  const [number, unit] = grain === "quarter" ? [count * 3, "month"] : [count, grain];
  return `CAST(${sql} + INTERVAL '${number} ${unit}' AS ${type === "timestamp" ? "TIMESTAMP" : "DATE"})`;
}

/**
 * Changes the case of letters, because the database's collation may convert only ASCII letters. The result has the same collation as all
 * strings in these statements.
 */
function cased(name: string): (text: string) => string {
  return (text) => `(${name}(${text} COLLATE "und-x-icu") COLLATE "C")`;
}

/**
 * Converts an ISO 8601 string to a moment in UTC. Checks the string's form, because PostgreSQL ignores an offset and reads `01/02/2024` in
 * one of two ways.
 */
function momentOf(text: string): string {
  const end = `SUBSTR(${text}, 11)`;
  const hasOffset = ["%Z", "%z", "%+%", "%-%"].map((pattern) => `${end} LIKE '${pattern}'`).join(" OR ");
  const whens = [
    `WHEN TRIM(${text}) = '' THEN NULL`,
    `WHEN ${text} NOT LIKE '____-__-__%' THEN CAST(${text} || ' is not an ISO 8601 time' AS TIMESTAMP)`,
    `WHEN ${hasOffset} THEN CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'`,
  ];
  return `CASE ${whens.join(" ")} ELSE CAST(${text} AS TIMESTAMP) END`;
}

export const postgresSpelling: MetricDialect = {
  id: "postgres",
  quoteName: doubleQuoted,
  quoteText: singleQuoted,
  date: (text) => `DATE '${text}'`,
  timestamp: (text) => `TIMESTAMP '${text}'`,
  castTypes: { integer: "BIGINT", double: "DOUBLE PRECISION", text: "TEXT", date: "DATE", timestamp: "TIMESTAMP" },
  // Converts the value to plain text, because a text type may ignore case or spaces, or may be an enumeration.
  stored: (sql, type) => (type === "text" ? `CAST(${sql} AS TEXT)` : sql),
  truncate,
  shift,
  localTime(sql, zone, type) {
    const moment = type === "timestamptz" ? sql : `CAST(${sql} AS TIMESTAMP) AT TIME ZONE 'UTC'`;
    return `(${moment} AT TIME ZONE ${singleQuoted(zone)})`;
  },
  same: notDistinct,
  like: plainLike,
  median: (sql) => `PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY CAST(${sql} AS DOUBLE PRECISION))`,
  nullOf(type) {
    switch (type) {
      case "unknown":
        return "NULL";
      case "number":
      case "decimal":
        return "CAST(NULL AS NUMERIC)";
      case "integer":
        return "CAST(NULL AS BIGINT)";
      case "double":
        return "CAST(NULL AS DOUBLE PRECISION)";
      case "timestamptz":
        return "CAST(NULL AS TIMESTAMPTZ)";
      default:
        return `CAST(NULL AS ${type.toUpperCase()})`;
    }
  },
  functions: {
    ...standardFunctions,
    ...extractedFields,
    text_order: ([text]) => `(${text} COLLATE "C")`,
    lower: ([text = ""]) => simpleLower(text, cased("LOWER")),
    upper: ([text = ""]) => simpleUpper(text, (each) => withSingleCapitals(each, cased("UPPER"))),
    text_moment: ([text = ""]) => momentOf(text),
    text_date: ([text = ""]) => `CAST(${momentOf(text)} AS DATE)`,
    concat: infixConcat,
    contains: ([text, part]) => `(STRPOS(${text}, ${part}) > 0)`,
    days_between: ([start, end]) => `(${end} - ${start})`,
    // Counts from the year 0.
    seconds_of: ([time]) => `(CAST(FLOOR(EXTRACT(EPOCH FROM ${time})) AS BIGINT) + 62167219200)`,
  },
};
