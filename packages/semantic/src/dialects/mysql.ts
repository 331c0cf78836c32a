import type { TimeGrain } from "../expressions/time-grains.ts";
import type { SqlType } from "../ir/sql-expression.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { extractInteger, simpleLower, simpleUpper, singleQuoted, standardFunctions } from "./spelling.ts";
import { zoneOffsetSeconds } from "./zone-offsets.ts";

function truncate(sql: string, grain: TimeGrain, weekStart: number): string {
  switch (grain) {
    case "hour":
      return `CAST(DATE_FORMAT(${sql}, '%Y-%m-%d %H:00:00') AS DATETIME)`;
    case "day":
      return `CAST(${sql} AS DATE)`;
    case "week":
      return `(CAST(${sql} AS DATE) - INTERVAL ((WEEKDAY(${sql}) + ${7 - weekStart}) % 7) DAY)`;
    case "month":
      return `CAST(DATE_FORMAT(${sql}, '%Y-%m-01') AS DATE)`;
    case "quarter":
      return `(MAKEDATE(YEAR(${sql}), 1) + INTERVAL (QUARTER(${sql}) - 1) QUARTER)`;
    case "year":
      return `MAKEDATE(YEAR(${sql}), 1)`;
  }
}

function integerPart(field: string): (args: readonly string[]) => string {
  return (args) => extractInteger(field)(args).replace("AS BIGINT", "AS SIGNED");
}

/** Converts a string to UTF-8, because strings in other character sets cannot be compared with all strings. */
function inUtf8(text: string): string {
  return `CONVERT(${text} USING utf8mb4)`;
}

/** Compares bytes, because this engine's collations ignore case, accents and trailing spaces. */
function asBytes([text = ""]: readonly string[]): string {
  return `CAST(${inUtf8(text)} AS BINARY)`;
}

const iso = "^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?Z?)?$";

/** Converts an ISO 8601 string to a moment. For other strings, and for strings with an offset, an overflowing sum raises an error. */
function momentOf(text: string): string {
  const plain = `CAST(REPLACE(REPLACE(${text}, 'T', ' '), 'Z', '') AS DATETIME(6))`;
  const fails = `CAST(9223372036854775807 + CHAR_LENGTH(${text}) AS DATETIME(6))`;
  const isTime = `${text} REGEXP '${iso}' AND ${plain} IS NOT NULL`;
  return `CASE WHEN TRIM(${text}) = '' THEN NULL WHEN ${isTime} THEN ${plain} WHEN ${text} IS NOT NULL THEN ${fails} END`;
}

function stored(sql: string, type: SqlType): string {
  // A BOOLEAN is a small integer and may have values other than 0 and 1.
  return type === "boolean" ? `(${sql} <> 0)` : sql;
}

/**
 * Changes the case of letters with the newest collation that MySQL and MariaDB share. The default collation converts only letters that
 * Unicode had in the year 2000.
 */
function cased(name: string): (text: string) => string {
  return (text) => `${name}(${text} COLLATE utf8mb4_unicode_520_ci)`;
}

/** MySQL and MariaDB. Time zones are computed here, because CONVERT_TZ returns NULL if its tables are empty, as they often are. */
export const mysqlSpelling: MetricDialect = {
  id: "mysql",
  quoteName: (name) => `\`${name.replaceAll("`", "``")}\``,
  quoteText: singleQuoted,
  date: (text) => `DATE '${text}'`,
  timestamp: (text) => `TIMESTAMP '${text}'`,
  castTypes: { integer: "SIGNED", double: "DOUBLE", text: "CHAR", date: "DATE", timestamp: "DATETIME" },
  stored,
  truncate,
  shift: (sql, count, grain) => `(${sql} + INTERVAL ${count} ${grain.toUpperCase()})`,
  localTime: (sql, zone) =>
    `(${sql} + INTERVAL ${zoneOffsetSeconds(zone, sql, (text) => `TIMESTAMP '${text}'`)} SECOND)`,
  same: (left, right) => `${left} <=> ${right}`,
  // In a byte pattern, `_` would match one byte.
  like: (sql, pattern) => `${inUtf8(sql)} COLLATE utf8mb4_bin LIKE ${singleQuoted(pattern)}`,
  median: () => undefined,
  functions: {
    ...standardFunctions,
    // MariaDB 10.11 caches the result of EXISTS for 'a' and returns it for 'A' in collations that treat both as equal. RAND prevents this.
    fresh_subquery: () => "RAND() >= 0",
    text_order: asBytes,
    text_identity: asBytes,
    text_shown: ([text = ""]) => inUtf8(text),
    lower: ([text = ""]) => simpleLower(inUtf8(text), cased("LOWER")),
    upper: ([text = ""]) => simpleUpper(inUtf8(text), cased("UPPER")),
    concat: (args) => `CONCAT(${args.join(", ")})`,
    length: ([text]) => `CHAR_LENGTH(${text})`,
    contains: ([text = "", found = ""]) => `(INSTR(${asBytes([text])}, ${asBytes([found])}) > 0)`,
    text_moment: ([text = ""]) => momentOf(text),
    text_date: ([text = ""]) => `CAST(${momentOf(text)} AS DATE)`,
    // With fewer digits, a larger decimal would become the greatest decimal of the type.
    to_decimal: ([operand, , scale]) => `CAST(${operand} AS DECIMAL(65, ${scale}))`,
    year: integerPart("YEAR"),
    quarter: integerPart("QUARTER"),
    month: integerPart("MONTH"),
    day: integerPart("DAY"),
    hour: integerPart("HOUR"),
    minute: integerPart("MINUTE"),
    second: integerPart("SECOND"),
    day_of_week: ([operand]) => `(WEEKDAY(${operand}) + 1)`,
    day_of_year: ([operand]) => `DAYOFYEAR(${operand})`,
    week_of_year: ([operand]) => `WEEK(${operand}, 3)`,
    days_between: ([start, end]) => `DATEDIFF(${end}, ${start})`,
    // Counts from a midnight before all times of this engine, because the difference is truncated towards zero.
    seconds_of: ([time]) => `TIMESTAMPDIFF(SECOND, TIMESTAMP '1000-01-01 00:00:00', ${time})`,
    whole_quotient: ([operand, divisor]) => `(${operand} DIV ${divisor})`,
  },
  comparesWrapped: true,
  comparedPlain: ({ charset }) => charset !== undefined && /^utf8(mb[34])?$/.test(charset),
};
