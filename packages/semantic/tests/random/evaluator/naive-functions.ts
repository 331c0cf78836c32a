/** Functions over the columns of facts, each computed without SQL. */
import { millisecondsOf, periodOf, wallClock } from "./naive-calendar.ts";
import { calculate, compareValues, type ExactNumber, exact, isNumber, type NaiveValue } from "./naive-values.ts";

export type ReadColumn = (name: string) => NaiveValue;

export interface RowFunction {
  /** The name of the dimension. */
  readonly name: string;
  readonly source: string;
  readonly type?: "date";
  readonly compute: (read: ReadColumn, zone: string | undefined) => NaiveValue;
}

const spaces = /^ +| +$/g;
const day = 86_400_000;

export const functionsOfRows: readonly RowFunction[] = [
  // Functions of text.
  ofText("unmarked", "nullif(status, 'a')", (text) => (text === "a" ? null : text)),
  ofText("initial", "substr(status, 1, 1)", (text) => [...text].slice(0, 1).join("")),
  ofText("ending", "right(status, 2)", (text) => [...text].slice(-2).join("")),
  ofText("trimmed", "trim(status)", (text) => text.replace(spaces, "")),
  ofText("joined", "concat(status, '_', trim(status))", (text) => `${text}_${text.replace(spaces, "")}`),
  ofText("letters", "length(status)", (text) => exact([...text].length)),
  ofText("like", "status LIKE '%_a%' OR status LIKE '_'", (text) => /^.+a/su.test(text) || /^.$/su.test(text)),
  ofText("ilike", "status ILIKE 'A%' OR status ILIKE '%E'", (text) => /^[aA]|[eE]$/.test(text)),
  {
    name: "chosen",
    source: "CASE status WHEN 'A' THEN 1 WHEN 'a ' THEN 2 ELSE 0 END",
    compute: (read) => exact(["A", "a "].indexOf(String(read("status"))) + 1),
  },
  // Numbers.
  { name: "rounded", source: "round(amount, 1)", compute: (read) => rounded(read("amount"), 1) },
  { name: "whole", source: "round(fee)", compute: (read) => rounded(read("fee"), 0) },
  { name: "rest", source: "mod(qty, 3)", compute: (read) => restOf(read("qty"), 3n) },
  { name: "least_of", source: "least(qty, amount, 2)", compute: (read) => extreme([read("qty"), read("amount")], -1) },
  { name: "most", source: "greatest(fee, qty, 2)", compute: (read) => extreme([read("fee"), read("qty")], 1) },
  {
    name: "tripled",
    source: "big * 3 - qty",
    compute: (read) => calculate("-", calculate("*", read("big"), exact(3)), read("qty")),
  },
  // Times.
  ofMoment("clock", "hour(happened)", (moment) => exact(Number(moment.slice(11, 13)))),
  { ...ofMoment("date_of", "CAST(happened AS date)", (moment) => moment.slice(0, 10)), type: "date" },
  ofMoment("weekday", "day_of_week(happened)", (moment) =>
    exact(((new Date(millisecondsOf(moment.slice(0, 10))).getUTCDay() + 6) % 7) + 1),
  ),
  ofMoment("quarter_of", "quarter(happened)", (moment) => exact(Math.ceil(Number(moment.slice(5, 7)) / 3))),
  { ...ofMoment("month_of", "date_trunc('month', happened)", (moment) => periodOf(moment, "month", 0)), type: "date" },
  ofBoth("is_late", "happened > due", (moment, due) => moment > `${due} 00:00:00`),
  ofBoth("is_early", "happened <= due", (moment, due) => moment <= `${due} 00:00:00`),
  ofBoth("delay", "date_diff('day', due, happened)", (moment, due) =>
    exact((millisecondsOf(moment.slice(0, 10)) - millisecondsOf(due)) / day),
  ),
  ofBoth("months", "date_diff('month', happened, due)", (moment, due) => exact(monthOf(due) - monthOf(moment))),
];

function ofText(name: string, source: string, compute: (text: string) => NaiveValue): RowFunction {
  return { name, source, compute: (read) => ofString(read("status"), compute) };
}

function ofMoment(name: string, source: string, compute: (moment: string) => NaiveValue): RowFunction {
  return {
    name,
    source,
    compute: (read, zone) => ofString(read("happened"), (moment) => compute(wallClock(moment, zone))),
  };
}

/** Computes from a moment in local time, and a day. */
function ofBoth(name: string, source: string, compute: (moment: string, due: string) => NaiveValue): RowFunction {
  return {
    name,
    source,
    compute: (read, zone) =>
      ofString(read("due"), (due) => ofString(read("happened"), (moment) => compute(wallClock(moment, zone), due))),
  };
}

function ofString(value: NaiveValue, compute: (text: string) => NaiveValue): NaiveValue {
  return typeof value === "string" ? compute(value) : null;
}

function monthOf(time: string): number {
  return Number(time.slice(0, 4)) * 12 + Number(time.slice(5, 7));
}

/** Rounds halves away from zero. */
function rounded(value: NaiveValue, scale: number): NaiveValue {
  if (!isExact(value)) return null;
  if (value.scale <= scale) return value;
  const unit = 10n ** BigInt(value.scale - scale);
  const size = (value.digits < 0n ? -value.digits : value.digits) + unit / 2n;
  return exact((size / unit) * (value.digits < 0n ? -1n : 1n), scale);
}

/** Returns the remainder, which has the sign of the dividend. */
function restOf(value: NaiveValue, divisor: bigint): NaiveValue {
  return isExact(value) && value.scale === 0 ? exact(value.digits % divisor) : null;
}

/** Returns the minimum or maximum of the values and 2. Leaves out NULL. */
function extreme(values: readonly NaiveValue[], sign: 1 | -1): NaiveValue {
  const present = [...values.filter(isNumber), exact(2)];
  return present.toSorted((a, b) => sign * compareValues(b, a))[0] ?? null;
}

function isExact(value: NaiveValue): value is ExactNumber {
  return typeof value === "object" && value !== null;
}
