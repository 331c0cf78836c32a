/**
 * Dates and times for SQLite, which has no types for them. Stored values are converted to one of two forms, `2024-01-31` or `2024-01-31
 * 12:30:00`. The latter has a fraction only if the fraction is not zero, so that strings sort in the order of times.
 */

import type { TimeGrain } from "../expressions/time-grains.ts";
import type { SqlType } from "../ir/sql-expression.ts";
import { singleQuoted } from "./spelling.ts";
import { zoneOffsetSeconds } from "./zone-offsets.ts";

/**
 * Writes an expression that raises an error with this message when it is evaluated. The expression contains the operand, because SQLite
 * would evaluate a constant expression even if no row needs it.
 */
export function sqliteError(words: string, operand: string): string {
  return `json_extract('{}', ${singleQuoted(`metric: ${words}`)} || substr(${operand}, 1, 0))`;
}

const noTime = "a value is not an ISO 8601 time";

/** Reads a stored time, in UTC. Empty strings are NULL, and a value that is not a time is an error. */
export function sqliteMoment(sql: string): string {
  const isOfDay = `${sql} GLOB '????-??-??[T ][01][0-9]:*' OR ${sql} GLOB '????-??-??[T ]2[0-3]:*'`;
  const isThere = `date(substr(${sql}, 1, 10)) = substr(${sql}, 1, 10) AND datetime(${sql}) IS NOT NULL`;
  const whens = [
    `WHEN datetime(${sql}) = ${sql} THEN ${sql}`,
    `WHEN date(${sql}) = ${sql} THEN ${sql} || ' 00:00:00'`,
    `WHEN trim(${sql}) = '' THEN NULL`,
    `WHEN (${isOfDay}) AND ${isThere} THEN ${withoutOffset(sql)}`,
    `WHEN ${sql} IS NOT NULL THEN ${sqliteError(noTime, sql)}`,
  ];
  return `CASE ${whens.join(" ")} END`;
}

/** Reads a stored date. */
export function sqliteDay(sql: string): string {
  return `CASE WHEN date(${sql}) = ${sql} THEN ${sql} ELSE substr(${sqliteMoment(sql)}, 1, 10) END`;
}

/**
 * Returns a time without its offset, in a form that SQLite can read. Seconds are optional, and a fraction, an offset or a Z may follow
 * them.
 */
function withoutOffset(sql: string): string {
  const parts = `SELECT ${sql} AS t, CASE substr(${sql}, 17, 1) WHEN ':' THEN 19 ELSE 16 END AS n`;
  const ends = `SELECT p.t, p.n, rtrim(substr(p.t, p.n + 1), ' Zz') AS r FROM (${parts}) AS p`;
  const hasOffset = "e.r GLOB '*[-+][0-9][0-9]:[0-9][0-9]'";
  const offset = `CASE WHEN ${hasOffset} THEN substr(e.r, -6) ELSE '' END`;
  const fraction = `CASE WHEN ${hasOffset} THEN substr(e.r, 1, length(e.r) - 6) ELSE e.r END`;
  return `(SELECT datetime(substr(e.t, 1, e.n) || ${offset}) || rtrim(rtrim(${fraction}, ' 0'), '.') FROM (${ends}) AS e)`;
}

/** Removes the fraction, which SQLite's functions would round. */
export function sqliteSeconds(sql: string): string {
  return `substr(${sql}, 1, 19)`;
}

export function truncateSqlite(sql: string, grain: TimeGrain, weekStart: number): string {
  const time = sqliteSeconds(sql);
  switch (grain) {
    case "hour":
      return `strftime('%Y-%m-%d %H:00:00', ${time})`;
    case "day":
      return `date(${time})`;
    case "week":
      return `date(${time}, '-6 days', 'weekday ${(weekStart + 1) % 7}')`;
    case "month":
      return `date(${time}, 'start of month')`;
    case "quarter":
      return `date(${time}, 'start of month', '-' || ((CAST(strftime('%m', ${time}) AS INTEGER) - 1) % 3) || ' months')`;
    case "year":
      return `date(${time}, 'start of year')`;
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

export function shiftSqlite(sql: string, count: number, grain: TimeGrain, type: SqlType): string {
  const [factor, unit] = units[grain];
  const number = count * factor;
  const signed = `'${number < 0 ? "" : "+"}${number} ${unit}'`;
  const rounding = unit === "months" || unit === "years" ? ", 'floor'" : "";
  if (type !== "timestamp") return `date(${sql}, ${signed}${rounding})`;
  return `datetime(${sqliteSeconds(sql)}, ${signed}${rounding}) || substr(${sql}, 20)`;
}

/** Converts a moment to local time. Writes the moment once, in a subquery, because the expression for the offset compares it many times. */
export function sqliteLocalTime(sql: string, zone: string): string {
  const offset = zoneOffsetSeconds(zone, "m.t", singleQuoted);
  return `(SELECT datetime(substr(m.t, 1, 19), ${offset} || ' seconds') || substr(m.t, 20) FROM (SELECT ${sql} AS t) AS m)`;
}

export function sqlitePart(format: string): (args: readonly string[]) => string {
  return ([operand = ""]) => `CAST(strftime('${format}', ${sqliteSeconds(operand)}) AS INTEGER)`;
}
