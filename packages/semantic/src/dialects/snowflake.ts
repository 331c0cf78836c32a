import type { TimeGrain } from "../expressions/time-grains.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { doubleQuoted, notDistinct, plainLike, shiftBy, singleQuoted, standardFunctions } from "./spelling.ts";

/** Truncates a time. `DATE_TRUNC` of weeks depends on the session's WEEK_START, so weeks are computed from ISO 8601 weekdays. */
function truncate(sql: string, grain: TimeGrain, weekStart: number): string {
  if (grain === "hour") return `DATE_TRUNC('HOUR', CAST(${sql} AS TIMESTAMP_NTZ))`;
  const date = `CAST(${sql} AS DATE)`;
  if (grain === "day") return date;
  if (grain === "week") return `DATEADD(DAY, - MOD(DAYOFWEEKISO(${sql}) + ${6 - weekStart}, 7), ${date})`;
  return `DATE_TRUNC('${grain.toUpperCase()}', ${date})`;
}

function localTime(sql: string, zone: string, type: string): string {
  if (type === "timestamptz") return `CAST(CONVERT_TIMEZONE(${singleQuoted(zone)}, ${sql}) AS TIMESTAMP_NTZ)`;
  return `CONVERT_TIMEZONE('UTC', ${singleQuoted(zone)}, CAST(${sql} AS TIMESTAMP_NTZ))`;
}

/** Compares bytes, because columns may have a case-insensitive collation. */
function byBytes([text]: readonly string[]): string {
  return `COLLATE(${text}, 'utf8')`;
}

function part(name: string): (args: readonly string[]) => string {
  return ([time]) => `DATE_PART(${name}, ${time})`;
}

export const snowflakeSpelling: MetricDialect = {
  id: "snowflake",
  quoteName: doubleQuoted,
  quoteText: (text) => singleQuoted(text.replaceAll("\\", "\\\\")),
  date: (text) => `TO_DATE('${text}', 'YYYY-MM-DD')`,
  timestamp: (text) => `TO_TIMESTAMP_NTZ('${text}')`,
  castTypes: { integer: "BIGINT", double: "DOUBLE", text: "VARCHAR", date: "DATE", timestamp: "TIMESTAMP_NTZ" },
  truncate,
  shift: (sql, count, grain) => shiftBy("DATEADD", grain.toUpperCase(), count, sql),
  localTime,
  same: notDistinct,
  like: (sql, pattern) => plainLike(byBytes([sql]), pattern),
  median: (sql) => `MEDIAN(CAST(${sql} AS DOUBLE))`,
  greatestScale: 12,
  functions: {
    ...standardFunctions,
    text_moment: null,
    text_date: null,
    // The quotient has few decimal places, and none of them is lost.
    whole_quotient: ([operand, divisor]) => `FLOOR(${operand} / ${divisor})`,
    days_between: ([start, end]) => `DATEDIFF(DAY, ${start}, ${end})`,
    seconds_of: ([time]) => `DATEDIFF(SECOND, TO_TIMESTAMP_NTZ('0001-01-01 00:00:00'), ${time})`,
    minute: part("MINUTE"),
    second: part("SECOND"),
    week_of_year: ([time]) => `WEEKISO(${time})`,
    text_order: byBytes,
    text_identity: byBytes,
    concat: (args) => `CONCAT(${args.join(", ")})`,
    contains: ([text = "", found = ""]) => `(POSITION(${byBytes([found])}, ${byBytes([text])}) > 0)`,
    year: part("YEAR"),
    quarter: part("QUARTER"),
    month: part("MONTH"),
    day: part("DAY"),
    hour: part("HOUR"),
    day_of_week: ([time]) => `DAYOFWEEKISO(${time})`,
    day_of_year: part("DAYOFYEAR"),
  },
};
