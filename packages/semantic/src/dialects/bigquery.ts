import type { TimeGrain } from "../expressions/time-grains.ts";
import { weekDays } from "../query/query-schema.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { backslashed, notDistinct, plainLike, standardFunctions } from "./spelling.ts";

/** Truncates a time. A DATETIME has no zone; a TIMESTAMP is a moment. */
function truncate(sql: string, grain: TimeGrain, weekStart: number): string {
  if (grain === "hour") return `DATETIME_TRUNC(CAST(${sql} AS DATETIME), HOUR)`;
  const date = `CAST(${sql} AS DATE)`;
  if (grain === "day") return date;
  const part = grain === "week" ? `WEEK(${weekDays[weekStart]?.toUpperCase()})` : grain.toUpperCase();
  return `DATE_TRUNC(${date}, ${part})`;
}

function part(name: string): (args: readonly string[]) => string {
  return ([time]) => `EXTRACT(${name} FROM ${time})`;
}

/** Converts to NUMERIC, which has 9 decimal places. */
function toNumeric(operand: string | undefined, scale: number): string {
  if (scale <= 9) return `CAST(${operand} AS NUMERIC)`;
  const why = `A decimal has ${scale} digits after the point, and a NUMERIC of BigQuery has 9.`;
  return refuseMetric("unsupported", `${why} Cast it to fewer.`);
}

export const bigquerySpelling: MetricDialect = {
  id: "bigquery",
  quoteName: (name) => backslashed(name, "`"),
  quoteText: (text) => backslashed(text, "'"),
  date: (text) => `DATE '${text}'`,
  timestamp: (text) => `DATETIME '${text}'`,
  // A literal such as 0.1 is a double.
  decimal: (text) => `NUMERIC '${text}'`,
  castTypes: { integer: "INT64", double: "FLOAT64", text: "STRING", date: "DATE", timestamp: "DATETIME" },
  // A column may have a case-insensitive collation, which functions and comparisons would follow.
  stored: (sql, type) => (type === "text" ? `COLLATE(${sql}, '')` : sql),
  truncate,
  shift: (sql, count, grain, type) =>
    `${type === "timestamp" ? "DATETIME_ADD" : "DATE_ADD"}(${sql}, INTERVAL ${count} ${grain.toUpperCase()})`,
  localTime(sql, zone, type) {
    const moment = type === "timestamptz" ? sql : `TIMESTAMP(CAST(${sql} AS DATETIME), 'UTC')`;
    return `DATETIME(${moment}, ${backslashed(zone, "'")})`;
  },
  same: notDistinct,
  like: plainLike,
  median: () => undefined,
  nullOf(type) {
    const { castTypes } = bigquerySpelling;
    switch (type) {
      case "integer":
      case "double":
      case "text":
      case "date":
      case "timestamp":
        return `CAST(NULL AS ${castTypes[type]})`;
      case "boolean":
        return "CAST(NULL AS BOOL)";
      case "timestamptz":
        return "CAST(NULL AS TIMESTAMP)";
      default:
        return "NULL";
    }
  },
  // The scale of NUMERIC, because the product of two is a NUMERIC.
  greatestScale: 9,
  functions: {
    ...standardFunctions,
    to_decimal: ([operand, , scale]) => toNumeric(operand, Number(scale)),
    text_moment: null,
    text_date: null,
    whole_quotient: ([operand, divisor]) => `DIV(${operand}, ${divisor})`,
    days_between: ([start, end]) => `DATE_DIFF(${end}, ${start}, DAY)`,
    seconds_of: ([time]) => `DATETIME_DIFF(${time}, DATETIME '0001-01-01 00:00:00', SECOND)`,
    minute: part("MINUTE"),
    second: part("SECOND"),
    week_of_year: part("ISOWEEK"),
    mod: ([left, right]) => `MOD(${left}, ${right})`,
    // Without the second argument, TRIM also removes other white space.
    trim: ([text]) => `TRIM(${text}, ' ')`,
    length: ([text]) => `CHAR_LENGTH(${text})`,
    concat: (args) => `CONCAT(${args.join(", ")})`,
    contains: ([text, found]) => `(STRPOS(${text}, ${found}) > 0)`,
    year: part("YEAR"),
    quarter: part("QUARTER"),
    month: part("MONTH"),
    day: part("DAY"),
    hour: part("HOUR"),
    day_of_week: ([time]) => `(MOD(EXTRACT(DAYOFWEEK FROM ${time}) + 5, 7) + 1)`,
    day_of_year: part("DAYOFYEAR"),
  },
  joins: { conditions: "an equality" },
};
