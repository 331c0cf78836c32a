/**
 * Computes the difference of two times as the number of midnights, hours or other boundaries between them: from 23:59 to 0:01 is one day.
 * Days and longer periods use local time. Hours, minutes and seconds use UTC, so that each has its actual length.
 */

import type { TimeGrain } from "../expressions/time-grains.ts";
import { callOf, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { alignTimes, clockOf, inUtc } from "../ir/wall-clock.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

const integer = { type: "integer" } as const;
const secondsIn: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };
const perYear: Readonly<Record<string, number>> = { month: 12, quarter: 4, year: 1 };

export function differenceOf(
  unit: string,
  start: SqlExpression,
  end: SqlExpression,
  zone: string | undefined,
): SqlExpression {
  const seconds = secondsIn[unit];
  if (seconds !== undefined) return ofClocks(start, end, seconds, zone);
  const count = perYear[unit];
  if (count !== undefined) return difference(...pair(start, end, (time) => numbered(clockOf(zone, time), unit, count)));
  if (unit === "day" || unit === "week") return ofDays(unit, start, end, zone);
  const known = [...Object.keys(secondsIn), "day", "week", ...Object.keys(perYear)].join(", ");
  return refuseMetric("invalid_expression", `A difference of times needs one of ${known} in quotes.`);
}

type Pair = readonly [SqlExpression, SqlExpression];

function pair(start: SqlExpression, end: SqlExpression, map: (time: SqlExpression) => SqlExpression): Pair {
  return [map(start), map(end)];
}

function difference(start: SqlExpression, end: SqlExpression): SqlExpression {
  return sqlBinary("-", end, start, integer);
}

/** Computes the number of months, quarters or years since the year 0. */
function numbered(time: SqlExpression, unit: string, perYear: number): SqlExpression {
  const year = callOf("year", [time], integer);
  if (unit === "year") return year;
  const years = sqlBinary("*", year, sqlLiteral(String(perYear), "integer"), integer);
  return sqlBinary("+", years, callOf(unit, [time], integer), integer);
}

function ofDays(grain: TimeGrain, start: SqlExpression, end: SqlExpression, zone: string | undefined): SqlExpression {
  const [first, last] = pair(start, end, (time) => {
    return { kind: "truncate", operand: clockOf(zone, time), grain, weekStart: 0, type: "date" };
  });
  const days = callOf("days_between", [first, last], integer);
  return grain === "day" ? days : whole(days, 7);
}

/** Converts each moment to the number of hours, minutes or seconds since a midnight before all moments. */
function ofClocks(start: SqlExpression, end: SqlExpression, seconds: number, zone: string | undefined): SqlExpression {
  const [first = start, last = end] = alignTimes([start, end], zone).map(asMoment);
  return difference(...pair(first, last, (time) => whole(callOf("seconds_of", [inUtc(time)], integer), seconds)));
}

function asMoment(time: SqlExpression): SqlExpression {
  return time.type === "date" ? { kind: "cast", operand: time, type: "timestamp" } : time;
}

/** Computes the quotient of whole numbers that are not negative, or that divide without a remainder. */
function whole(operand: SqlExpression, divisor: number): SqlExpression {
  if (divisor === 1) return operand;
  return callOf("whole_quotient", [operand, sqlLiteral(String(divisor), "integer")], integer);
}
