import type { TimeGrain } from "../models/model-schema.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { extractInteger, singleQuoted } from "./spelling.ts";
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

/** MySQL and MariaDB. Time zones are computed, because the tables of CONVERT_TZ are often empty, and it returns NULL then. */
export const mysqlSpelling: MetricDialect = {
  id: "mysql",
  quoteName: (name) => `\`${name.replaceAll("`", "``")}\``,
  quoteText: singleQuoted,
  date: (text) => `DATE '${text}'`,
  timestamp: (text) => `TIMESTAMP '${text}'`,
  castTypes: { integer: "SIGNED", double: "DOUBLE", text: "CHAR", date: "DATE", timestamp: "DATETIME" },
  truncate,
  shift: (sql, count, grain) => `(${sql} + INTERVAL ${count} ${grain.toUpperCase()})`,
  localTime: (sql, zone) =>
    `(${sql} + INTERVAL ${zoneOffsetSeconds(zone, sql, (text) => `TIMESTAMP '${text}'`)} SECOND)`,
  same: (left, right) => `${left} <=> ${right}`,
  like: (sql, pattern) => `${sql} LIKE BINARY ${singleQuoted(pattern)}`,
  median: () => undefined,
  functions: {
    // MariaDB 10.11 looks up the result of EXISTS for 'A' under 'a', in collations that equate both. RAND keeps it from that.
    fresh_subquery: () => "RAND() >= 0",
    // Collations of this engine equate capitals, accents and trailing spaces; bytes do not.
    text_order: ([text]) => `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`,
    text_identity: ([text]) => `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`,
    text_shown: ([text]) => `CONVERT(${text} USING utf8mb4)`,
    concat: (args) => `CONCAT(${args.join(", ")})`,
    length: ([text]) => `CHAR_LENGTH(${text})`,
    year: integerPart("YEAR"),
    quarter: integerPart("QUARTER"),
    month: integerPart("MONTH"),
    day: integerPart("DAY"),
    hour: integerPart("HOUR"),
    day_of_week: ([operand]) => `(WEEKDAY(${operand}) + 1)`,
    day_of_year: integerPart("DAYOFYEAR"),
    contains: ([text, found]) => `(INSTR(BINARY ${text}, BINARY ${found}) > 0)`,
  },
};
