import { type TimeGrain, timeGrains } from "../expressions/time-grains.ts";
import { callOf, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { requireType } from "../ir/type-rules.ts";
import { clockOf } from "../ir/wall-clock.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { differenceOf } from "./date-difference.ts";
import { checked, type KnownFunction, literalText, timeTypes } from "./known-function.ts";

const integer = { type: "integer" } as const;

export const timeFunctions: Readonly<Record<string, KnownFunction>> = {
  year: timePart(),
  quarter: timePart(),
  month: timePart(),
  day: timePart(),
  hour: timePart(),
  minute: timePart(),
  /** In whole seconds. */
  second: timePart(),
  /** Monday is 1. */
  day_of_week: timePart(),
  day_of_year: timePart(),
  /** The ISO 8601 week. */
  week_of_year: timePart(),
  date_part: { count: [2, 2], bind: bindPart },
  date: { count: [1, 1], bind: ([operand], name, zone) => truncated("day", timeOf(operand, name), zone) },
  date_trunc: { count: [2, 2], bind: bindTruncate },
  date_diff: { count: [3, 3], bind: bindDifference },
  datediff: { count: [2, 3], bind: bindDifference },
};

function timePart(): KnownFunction {
  return { count: [1, 1], bind: ([operand], name, zone) => partOf(name, timeOf(operand, name), zone) };
}

function timeOf(operand: SqlExpression | undefined, name: string): SqlExpression {
  const [time] = checked(operand ? [operand] : [], timeTypes, name);
  return time ?? refuseMetric("invalid_expression", `${name} needs a time. Write it.`);
}

function partOf(name: string, time: SqlExpression, zone: string | undefined): SqlExpression {
  return callOf(name, [clockOf(zone, time)], integer);
}

const parts: Readonly<Record<string, string>> = {
  year: "year",
  quarter: "quarter",
  month: "month",
  day: "day",
  hour: "hour",
  minute: "minute",
  second: "second",
  isodow: "day_of_week",
  doy: "day_of_year",
  dayofyear: "day_of_year",
  isoweek: "week_of_year",
  week_of_year: "week_of_year",
};

/** Binds `EXTRACT(YEAR FROM t)` or `date_part('year', t)`. */
function bindPart([part, operand]: readonly SqlExpression[], name: string, zone: string | undefined): SqlExpression {
  const unit = literalText(part)?.toLowerCase() ?? "";
  const time = timeOf(operand, name);
  // In `dow`, Sunday is 0.
  if (unit === "dow") return sqlBinary("%", partOf("day_of_week", time, zone), sqlLiteral("7", "integer"), integer);
  const found = parts[unit];
  if (found !== undefined) return partOf(found, time, zone);
  if (unit === "week" || unit === "dayofweek") {
    const remedy = unit === "week" ? "week_of_year, which is that of ISO 8601" : "day_of_week, where Monday is 1";
    return refuseMetric("unsupported", `Engines number ${unit} in different ways. Write ${remedy}.`);
  }
  return refuseMetric(
    "invalid_expression",
    `"${unit}" is not a part of a time. Known: ${Object.keys(parts).join(", ")}.`,
  );
}

function truncated(grain: TimeGrain, time: SqlExpression, zone: string | undefined): SqlExpression {
  const type = grain === "hour" ? "timestamp" : "date";
  return { kind: "truncate", operand: clockOf(zone, time), grain, weekStart: 0, type };
}

function bindTruncate(args: readonly SqlExpression[], name: string, zone: string | undefined): SqlExpression {
  const [unit, operand] = isUnit(args[0]) ? args : args.toReversed();
  const grain: TimeGrain | undefined = timeGrains.find((each) => each === literalText(unit)?.toLowerCase());
  if (grain === undefined)
    return refuseMetric("invalid_expression", `date_trunc needs one of ${timeGrains.join(", ")} in quotes.`);
  return truncated(grain, timeOf(operand, name), zone);
}

function isUnit(node: SqlExpression | undefined): boolean {
  const unit = literalText(node)?.toLowerCase();
  return unit !== undefined && (timeGrains.some((grain) => grain === unit) || unit === "minute" || unit === "second");
}

/** Binds `date_diff('day', start, end)`, `date_diff(end, start, DAY)`, or `datediff(end, start)`, which counts days. */
function bindDifference(args: readonly SqlExpression[], name: string, zone: string | undefined): SqlExpression {
  const [first, second, third] = args;
  const isFirst = isUnit(first);
  const unit = isFirst ? first : third;
  const [start, end] = isFirst ? [second, third] : [second, first];
  const grain = unit === undefined && name === "datediff" ? "day" : literalText(unit)?.toLowerCase();
  for (const time of [start, end]) if (time) requireType(time, timeTypes, name);
  return differenceOf(grain ?? "", timeOf(start, name), timeOf(end, name), zone);
}
