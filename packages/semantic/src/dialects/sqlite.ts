import type { SqlType } from "../ir/sql-expression.ts";
import type { TimeGrain } from "../models/model-schema.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { doubleQuoted, infixConcat, singleQuoted } from "./spelling.ts";
import { zoneOffsetSeconds } from "./zone-offsets.ts";

/** Dates and times are texts in ISO 8601. */
function truncate(sql: string, grain: TimeGrain, weekStart: number): string {
  switch (grain) {
    case "hour":
      return `strftime('%Y-%m-%d %H:00:00', ${sql})`;
    case "day":
      return `date(${sql})`;
    case "week":
      return `date(${sql}, '-6 days', 'weekday ${(weekStart + 1) % 7}')`;
    case "month":
      return `date(${sql}, 'start of month')`;
    case "quarter":
      return `date(${sql}, 'start of month', '-' || ((CAST(strftime('%m', ${sql}) AS INTEGER) - 1) % 3) || ' months')`;
    case "year":
      return `date(${sql}, 'start of year')`;
  }
}

const units: Readonly<Record<TimeGrain, readonly [number, string]>> = {
  hour: [1, "hours"],
  day: [1, "days"],
  week: [7, "days"],
  month: [1, "months"],
  quarter: [3, "months"],
  year: [1, "years"],
};

function shift(sql: string, count: number, grain: TimeGrain, type: SqlType): string {
  const [factor, unit] = units[grain];
  const number = count * factor;
  const signed = `'${number < 0 ? "" : "+"}${number} ${unit}'`;
  const rounding = unit === "months" || unit === "years" ? ", 'floor'" : "";
  return `${type === "timestamp" ? "datetime" : "date"}(${sql}, ${signed}${rounding})`;
}

/** GLOB distinguishes capitals, LIKE does not. */
function glob(sql: string, pattern: string): string {
  const escaped = pattern.replaceAll(/[*?[\]]/g, (character) => (character === "]" ? character : `[${character}]`));
  return `${sql} GLOB ${singleQuoted(escaped.replaceAll("%", "*").replaceAll("_", "?"))}`;
}

/** A double has fewer than 16 digits. `abs` of the least integer is an error, which is better than other digits. */
function decimalResult([operand = "", digits = "0"]: readonly string[]): string {
  const limit = `9007199254740992 / 1${"0".repeat(Number(digits))}.0`;
  const fails = `abs(CAST(${operand} * 0 AS INTEGER) - 9223372036854775807 - 1)`;
  return `CASE WHEN ABS(${operand}) >= ${limit} THEN ${fails} ELSE ROUND(${operand}, ${digits}) END`;
}

function part(format: string): (args: readonly string[]) => string {
  return ([operand]) => `CAST(strftime('${format}', ${operand}) AS INTEGER)`;
}

export const sqliteSpelling: MetricDialect = {
  id: "sqlite",
  quoteName: doubleQuoted,
  quoteText: singleQuoted,
  date: singleQuoted,
  timestamp: singleQuoted,
  castTypes: { integer: "INTEGER", double: "REAL", text: "TEXT", date: "TEXT", timestamp: "TEXT" },
  truncate,
  shift,
  localTime: (sql, zone) =>
    `datetime(${sql}, ${zoneOffsetSeconds(zone, `datetime(${sql})`, singleQuoted)} || ' seconds')`,
  same: (left, right) => `${left} IS ${right}`,
  like: glob,
  median: () => undefined,
  functions: {
    decimal_result: decimalResult,
    concat: infixConcat,
    // They change ASCII letters only.
    lower: null,
    upper: null,
    year: part("%Y"),
    month: part("%m"),
    day: part("%d"),
    hour: part("%H"),
    day_of_week: ([operand]) => `((CAST(strftime('%w', ${operand}) AS INTEGER) + 6) % 7 + 1)`,
    day_of_year: part("%j"),
    quarter: ([operand]) => `((CAST(strftime('%m', ${operand}) AS INTEGER) + 2) / 3)`,
    contains: ([text, found]) => `(INSTR(${text}, ${found}) > 0)`,
  },
  scalesDecimals: true,
  // A product beyond 64 bits would be a double. `abs` of the least integer is an error.
  integerProduct: (left, right) =>
    `CASE typeof(${left} * ${right}) WHEN 'real' THEN abs(${left} * 0 - 9223372036854775807 - 1) ELSE ${left} * ${right} END`,
};
