import type { SqlType } from "../ir/sql-expression.ts";
import type { TimeGrain } from "../models/model-schema.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { doubleQuoted, extractedFields, infixConcat, notDistinct, plainLike, singleQuoted } from "./spelling.ts";

/** `date_trunc` of a date would return a timestamp with the zone of the session. */
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

export const postgresSpelling: MetricDialect = {
  id: "postgres",
  quoteName: doubleQuoted,
  quoteText: singleQuoted,
  date: (text) => `DATE '${text}'`,
  timestamp: (text) => `TIMESTAMP '${text}'`,
  castTypes: { integer: "BIGINT", double: "DOUBLE PRECISION", text: "TEXT", date: "DATE", timestamp: "TIMESTAMP" },
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
    text_order: ([text]) => `(${text} COLLATE "C")`,
    ...extractedFields,
    concat: infixConcat,
    round: ([operand, digits = "0"]) => `ROUND(CAST(${operand} AS NUMERIC), ${digits})`,
    contains: ([text, part]) => `(STRPOS(${text}, ${part}) > 0)`,
  },
};
