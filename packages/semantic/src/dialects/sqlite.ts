import type { SqlType } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { doubleQuoted, infixConcat, singleQuoted, standardFunctions } from "./spelling.ts";
import {
  shiftSqlite,
  sqliteDay,
  sqliteError,
  sqliteLocalTime,
  sqliteMoment,
  sqlitePart,
  sqliteSeconds,
  truncateSqlite,
} from "./sqlite-times.ts";

/** Writes a pattern for GLOB, which is case-sensitive, unlike LIKE. */
function glob(sql: string, pattern: string): string {
  const escaped = pattern.replaceAll(/[*?[\]]/g, (character) => (character === "]" ? character : `[${character}]`));
  return `${sql} GLOB ${singleQuoted(escaped.replaceAll("%", "*").replaceAll("_", "?"))}`;
}

/** Writes a case-insensitive match. LIKE ignores case only for ASCII letters. */
function caselessLike(sql: string, pattern: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range covers all of ASCII
  if (/^[\u0000-\u007f]*$/.test(pattern)) return `${sql} LIKE ${singleQuoted(pattern)}`;
  const why = "SQLite finds capitals of ASCII only, and the pattern of an ILIKE has other letters.";
  return refuseMetric("unsupported", `${why} Store the text in small letters.`);
}

const tooLong = "a decimal has more digits than SQLite computes exactly";

/** Computes with a decimal, or raises an error if it has more digits than a double, which is better than wrong digits. */
function exactDecimal(sql: string, digits: number, then: (sql: string) => string): string {
  // Nested arithmetic is written once, in a subquery.
  if (sql.length > 80) return `(SELECT ${exactDecimal("m.v", digits, then)} FROM (SELECT ${sql} AS v) AS m)`;
  const limit = `9007199254740992 / 1${"0".repeat(digits)}.0`;
  return `CASE WHEN ABS(${sql}) >= ${limit} THEN ${sqliteError(tooLong, sql)} ELSE ${then(sql)} END`;
}

function decimalResult([operand = "", digits = "0"]: readonly string[]): string {
  return exactDecimal(operand, Number(digits), (sql) => `ROUND(${sql}, ${digits})`);
}

/** Rounds with integers that count the last digit, because a double such as 2.675 is less than the decimal 2.675. */
function roundDecimal([operand = "", digits = "0", scale]: readonly string[]): string {
  if (scale === undefined) {
    const why = "SQLite rounds decimals exactly only if the type of the column has their digits.";
    return refuseMetric("unsupported", `${why} Declare it as DECIMAL(12,2), or cast it.`);
  }
  const dropped = Number(scale) - Number(digits);
  const [step, half] = [`1${"0".repeat(dropped)}`, `5${"0".repeat(dropped - 1)}`];
  return exactDecimal(operand, Number(scale), (sql) => {
    const last = `CAST(ROUND((${sql}) * 1${"0".repeat(Number(scale))}) AS INTEGER)`;
    const whole = `(${last} + CASE WHEN ${last} < 0 THEN -${half} ELSE ${half} END) / ${step}`;
    return digits === "0" ? `(${whole})` : `((${whole}) / 1${"0".repeat(Number(digits))}.0)`;
  });
}

/** Reads a stored value. Booleans may be stored as words. */
function stored(sql: string, type: SqlType): string {
  switch (type) {
    case "timestamp":
    case "timestamptz":
      return sqliteMoment(sql);
    case "date":
      return sqliteDay(sql);
    case "boolean": {
      const [yes, no] = ["'t', 'true', 'y', 'yes'", "'f', 'false', 'n', 'no'"];
      const word = `WHEN lower(${sql}) IN (${yes}) THEN 1 WHEN lower(${sql}) IN (${no}) THEN 0`;
      const other = sqliteError("a value is neither true nor false", sql);
      return `CASE WHEN typeof(${sql}) <> 'text' THEN ${sql} <> 0 ${word} ELSE ${other} END`;
    }
    default:
      return sql;
  }
}

const ofLongInteger = "an integer has more than 64 bits";

export const sqliteSpelling: MetricDialect = {
  id: "sqlite",
  quoteName: doubleQuoted,
  quoteText: singleQuoted,
  date: singleQuoted,
  timestamp: (text) => singleQuoted(text.includes(".") ? text.replace(/\.?0+$/, "") : text),
  castTypes: { integer: "INTEGER", double: "REAL", text: "TEXT", date: "TEXT", timestamp: "TEXT" },
  stored,
  truncate: truncateSqlite,
  shift: shiftSqlite,
  localTime: sqliteLocalTime,
  same: (left, right) => `${left} IS ${right}`,
  like: glob,
  caselessLike,
  median: () => undefined,
  functions: {
    whole_quotient: standardFunctions.whole_quotient,
    decimal_result: decimalResult,
    // A column may have a case-insensitive collation.
    text_order: ([text]) => `(${text} COLLATE BINARY)`,
    text_identity: ([text]) => `(${text} COLLATE BINARY)`,
    midnight: ([date]) => `(${date} || ' 00:00:00')`,
    text_moment: ([text = ""]) => sqliteMoment(text),
    text_date: ([text = ""]) => sqliteDay(text),
    concat: infixConcat,
    // In SQLite, these functions change only ASCII letters.
    lower: null,
    upper: null,
    greatest: (args) => `MAX(${args.join(", ")})`,
    least: (args) => `MIN(${args.join(", ")})`,
    floor_decimal: ([operand]) => `CAST(FLOOR(${operand}) AS INTEGER)`,
    ceil_decimal: ([operand]) => `CAST(CEIL(${operand}) AS INTEGER)`,
    round_decimal: roundDecimal,
    to_decimal: ([operand = ""]) => operand,
    text_end: ([text, length]) => `SUBSTR(${text}, ${length === "0" ? "1, 0" : `-${length}`})`,
    year: sqlitePart("%Y"),
    month: sqlitePart("%m"),
    day: sqlitePart("%d"),
    hour: sqlitePart("%H"),
    minute: sqlitePart("%M"),
    second: sqlitePart("%S"),
    day_of_week: (args) => `((${sqlitePart("%w")(args)} + 6) % 7 + 1)`,
    day_of_year: sqlitePart("%j"),
    // The week of a day is the week of its Thursday.
    week_of_year: ([time = ""]) =>
      `((CAST(strftime('%j', ${sqliteSeconds(time)}, '-3 days', 'weekday 4') AS INTEGER) - 1) / 7 + 1)`,
    quarter: (args) => `((${sqlitePart("%m")(args)} + 2) / 3)`,
    days_between: ([start, end]) => `CAST(julianday(${end}) - julianday(${start}) AS INTEGER)`,
    // Seconds since the year 0.
    seconds_of: (args) => `(${sqlitePart("%s")(args)} + 62167219200)`,
    contains: ([text, found]) => `(INSTR(${text}, ${found}) > 0)`,
  },
  scalesDecimals: true,
  // A result of more than 64 bits would be a double.
  integerResult: (sql, left) =>
    `CASE typeof(${sql}) WHEN 'real' THEN ${sqliteError(ofLongInteger, left)} ELSE ${sql} END`,
};
