import type { TimeGrain } from "../expressions/time-grains.ts";
import type { SqlType } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { doubleQuoted, shiftBy, singleQuoted, standardFunctions } from "./spelling.ts";
import { zoneOffsetSeconds } from "./zone-offsets.ts";

/** Truncates a time without DATETRUNC, which requires SQL Server 2022 or later. The first day of year 1 was a Monday. */
function truncate(sql: string, grain: TimeGrain, weekStart: number): string {
  switch (grain) {
    case "hour":
      return `DATEADD(hour, DATEDIFF(hour, ${timestamp("2000-01-01 00:00:00")}, ${sql}), ${timestamp("2000-01-01 00:00:00")})`;
    case "day":
      return `CAST(${sql} AS DATE)`;
    case "week":
      return `DATEADD(day, - ((DATEDIFF(day, ${date("0001-01-01")}, ${sql}) + ${7 - weekStart}) % 7), CAST(${sql} AS DATE))`;
    case "month":
      return `DATEFROMPARTS(YEAR(${sql}), MONTH(${sql}), 1)`;
    case "quarter":
      return `DATEFROMPARTS(YEAR(${sql}), (DATEPART(quarter, ${sql}) - 1) * 3 + 1, 1)`;
    case "year":
      return `DATEFROMPARTS(YEAR(${sql}), 1, 1)`;
  }
}

function date(text: string): string {
  return `CAST('${text}' AS DATE)`;
}

/** Writes a timestamp with a T, so that its format does not depend on the login's language. */
function timestamp(text: string): string {
  return `CAST('${text.replace(" ", "T")}' AS DATETIME2(6))`;
}

function unicodeText(text: string): string {
  return `N${singleQuoted(text)}`;
}

const byCodes = "COLLATE Latin1_General_100_BIN2";

/** Appends a character to a string, because comparisons ignore trailing spaces in every collation. */
function exactText([text]: readonly string[]): string {
  return `(REPLACE(CAST(${text} AS NVARCHAR(MAX)) ${byCodes}, NCHAR(1), N'') + NCHAR(1))`;
}

function shownText([text]: readonly string[]): string {
  return `REPLACE(CAST(${text} AS NVARCHAR(MAX)) ${byCodes}, NCHAR(1), N'')`;
}

/** Uses a collation in which two UTF-16 units of one character count as one. */
function byCharacters(text: string): string {
  return `${shownText([text])} COLLATE Latin1_General_100_CI_AS_SC`;
}

/** Writes LIKE. Refuses `_`, because the collation that distinguishes all characters treats each UTF-16 unit as a character. */
function like(sql: string, pattern: string): string {
  if (!pattern.includes("_")) return `${shownText([sql])} LIKE ${unicodeText(pattern.replaceAll("[", "[[]"))}`;
  const why = "SQL Server would find half a character for _ in the pattern of a LIKE.";
  return refuseMetric("unsupported", `${why} Use contains, starts_with or length.`);
}

function localTime(sql: string, zone: string, type: SqlType): string {
  const moment = `CAST(${type === "timestamptz" ? `${sql} AT TIME ZONE 'UTC'` : sql} AS DATETIME2(6))`;
  return zone === "UTC" ? moment : `DATEADD(second, ${zoneOffsetSeconds(zone, moment, timestamp)}, ${moment})`;
}

function part(name: string): (args: readonly string[]) => string {
  return ([time]) => `DATEPART(${name}, ${time})`;
}

const nullTypes: Readonly<Partial<Record<SqlType, string>>> = {
  integer: "BIGINT",
  double: "FLOAT",
  text: "NVARCHAR(MAX)",
  boolean: "BIT",
  date: "DATE",
  timestamp: "DATETIME2(6)",
  timestamptz: "DATETIMEOFFSET(6)",
};

export const sqlserverSpelling: MetricDialect = {
  id: "sqlserver",
  quoteName: doubleQuoted,
  quoteText: unicodeText,
  date,
  timestamp,
  castTypes: { integer: "BIGINT", double: "FLOAT", text: "NVARCHAR(4000)", date: "DATE", timestamp: "DATETIME2(6)" },
  truncate,
  shift: (sql, count, grain) => shiftBy("DATEADD", grain, count, sql),
  localTime,
  same: (left, right) => `EXISTS (SELECT ${left} INTERSECT SELECT ${right})`,
  like,
  median: () => undefined,
  nullOf: (type) => (nullTypes[type] === undefined ? "NULL" : `CAST(NULL AS ${nullTypes[type]})`),
  // The sum of INT values is an INT, so that a larger sum would raise an error.
  aggregates: {
    sum: (operand, type) => `SUM(${type === "integer" ? `CAST(${operand} AS BIGINT)` : operand})`,
    count: (operand) => `COUNT_BIG(${operand})`,
  },
  // A product of sums, with 38 digits each, keeps 6 decimal places.
  greatestScale: 6,
  functions: {
    ...standardFunctions,
    text_moment: null,
    text_date: null,
    // This engine writes the text of a UUID in upper case.
    uuid_text: ([operand]) => `LOWER(CAST(${operand} AS NVARCHAR(36)))`,
    ceil_decimal: ([operand]) => `CEILING(${operand})`,
    substr: ([text = "", start, length = "2147483647"]) => `SUBSTRING(${byCharacters(text)}, ${start}, ${length})`,
    text_end: ([text = "", length]) => `RIGHT(${byCharacters(text)}, ${length})`,
    minute: part("minute"),
    second: part("second"),
    week_of_year: part("iso_week"),
    days_between: ([start, end]) => `DATEDIFF(day, ${start}, ${end})`,
    seconds_of: ([time]) => `DATEDIFF_BIG(second, ${date("0001-01-01")}, ${time})`,
    text_order: exactText,
    text_identity: exactText,
    text_shown: shownText,
    concat: (args) => `(${args.map((arg) => shownText([arg])).join(" + ")})`,
    length: ([text = ""]) => `(LEN(${byCharacters(text)} + N'.') - 1)`,
    replace: ([text = "", found, other]) => `REPLACE(${shownText([text])}, ${found}, ${other})`,
    contains: ([text = "", found]) => `(CHARINDEX(${found}, ${shownText([text])}) > 0)`,
    trim: (args) => `TRIM(${shownText(args)})`,
    ceil: ([operand]) => `CEILING(${operand})`,
    year: part("year"),
    quarter: part("quarter"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    day_of_week: ([time]) => `(DATEDIFF(day, ${date("0001-01-01")}, ${time}) % 7 + 1)`,
    day_of_year: part("dayofyear"),
  },
  comparesWrapped: true,
  hasBooleans: false,
  recursive: "",
  limits: "top",
};
