import type { TimeGrain } from "../expressions/time-grains.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { backslashed, plainLike, shiftBy, standardFunctions } from "./spelling.ts";

/** Truncates a time. Functions such as `toStartOfMonth` return a Date, which begins in 1970, so functions with `32` are used. */
function truncate(sql: string, grain: TimeGrain, weekStart: number): string {
  switch (grain) {
    case "hour":
      return `subtractSeconds(toDateTime64(${sql}, 0, 'UTC'), toMinute(${sql}) * 60 + toSecond(${sql}))`;
    case "day":
      return `toDate32(${sql})`;
    case "week":
      return `subtractDays(toDate32(${sql}), (toDayOfWeek(${sql}) + ${6 - weekStart}) % 7)`;
    case "month":
      return `makeDate32(toYear(${sql}), toMonth(${sql}), 1)`;
    case "quarter":
      return `makeDate32(toYear(${sql}), (toQuarter(${sql}) - 1) * 3 + 1, 1)`;
    case "year":
      return `makeDate32(toYear(${sql}), 1, 1)`;
  }
}

const adding: Readonly<Record<TimeGrain, string>> = {
  hour: "addHours",
  day: "addDays",
  week: "addWeeks",
  month: "addMonths",
  quarter: "addQuarters",
  year: "addYears",
};

/** Converts a moment of any type to a time in UTC. */
function inUtc(sql: string): string {
  return `toDateTime64(${sql}, 6, 'UTC')`;
}

export const clickhouseSpelling: MetricDialect = {
  id: "clickhouse",
  quoteName: (name) => backslashed(name, "`"),
  quoteText: (text) => backslashed(text, "'"),
  date: (text) => `toDate32('${text}')`,
  timestamp: (text) => inUtc(`'${text}'`),
  decimal: (text, scale) => `toDecimal128('${text}', ${scale})`,
  castTypes: {
    integer: "Nullable(Int64)",
    double: "Nullable(Float64)",
    text: "Nullable(String)",
    date: "Nullable(Date32)",
    timestamp: "Nullable(DateTime64(6, 'UTC'))",
  },
  truncate,
  shift: (sql, count, grain) => shiftBy(adding[grain], sql, count),
  localTime: (sql, zone) =>
    zone === "UTC"
      ? inUtc(sql)
      : `addSeconds(${inUtc(sql)}, timeZoneOffset(toTimeZone(${inUtc(sql)}, ${backslashed(zone, "'")})))`,
  same: (left, right) => `(coalesce(${left} = ${right}, FALSE) OR (${left} IS NULL AND ${right} IS NULL))`,
  like: plainLike,
  median: () => undefined,
  // Products and sums of Int64 wrap around.
  integerResult: (sql, left) => `toInt256(${left})${sql.slice(left.length)}`,
  // If there are no rows, plain aggregates of columns that cannot be NULL return 0.
  aggregates: {
    sum: (operand, type) => `sumOrNull(${type === "integer" ? `toInt256(${operand})` : operand})`,
    min: (operand) => `minOrNull(${operand})`,
    max: (operand) => `maxOrNull(${operand})`,
  },
  functions: {
    ...standardFunctions,
    uuid_text: ([operand]) => `toString(${operand})`,
    // A cast would truncate digits. The operand is already rounded here.
    to_decimal: ([operand, digits, scale]) => `CAST(${operand} AS Nullable(Decimal(${digits}, ${scale})))`,
    whole_quotient: ([operand, divisor]) => `intDiv(${operand}, ${divisor})`,
    substr: ([text, start, length]) => `substringUTF8(${[text, start, ...(length ? [length] : [])].join(", ")})`,
    text_end: ([text, length]) =>
      `substringUTF8(${text}, greatest(toInt64(lengthUTF8(${text})) - ${length} + 1, 1), ${length})`,
    text_moment: null,
    text_date: null,
    lower: ([text]) => `lowerUTF8(${text})`,
    upper: ([text]) => `upperUTF8(${text})`,
    length: ([text]) => `lengthUTF8(${text})`,
    concat: (args) => `concat(${args.join(", ")})`,
    replace: ([text, found, other]) => `replaceAll(${text}, ${found}, ${other})`,
    contains: ([text, found]) => `(position(${text}, ${found}) > 0)`,
    year: ([time]) => `toYear(${time})`,
    quarter: ([time]) => `toQuarter(${time})`,
    month: ([time]) => `toMonth(${time})`,
    day: ([time]) => `toDayOfMonth(${time})`,
    hour: ([time]) => `toHour(${time})`,
    minute: ([time]) => `toMinute(${time})`,
    second: ([time]) => `toSecond(${time})`,
    day_of_week: ([time]) => `toDayOfWeek(${time})`,
    day_of_year: ([time]) => `toDayOfYear(${time})`,
    week_of_year: ([time]) => `toISOWeek(${time})`,
    days_between: ([start, end]) => `dateDiff('day', ${start}, ${end})`,
    // Counts from a midnight before all times of this engine.
    seconds_of: ([time]) => `dateDiff('second', toDateTime64('1900-01-01 00:00:00', 0, 'UTC'), ${time})`,
  },
  joins: { nullableColumn: (column) => `toNullable(${column})`, conditions: "equalities" },
  correlates: false,
};
