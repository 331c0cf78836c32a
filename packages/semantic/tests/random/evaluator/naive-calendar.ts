/** Computes periods and local times by plain arithmetic. Days are `2024-01-31`, moments `2024-01-31 12:30:00`. */
import type { TimeGrain } from "../../../src/expressions/time-grains.ts";

const day = 86_400_000;
const fields: Intl.DateTimeFormatOptions = { dateStyle: "short", timeStyle: "medium" };
const formats = new Map<string, Intl.DateTimeFormat>();

export function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);
}

/** Returns a zone's local time for a moment in UTC. */
export function wallClock(moment: string, zone: string | undefined): string {
  if (zone === undefined || moment.length === 10) return moment;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("sv-SE", { ...fields, timeZone: zone });
  formats.set(zone, format);
  return format.format(millisecondsOf(moment)).slice(0, 19);
}

export function millisecondsOf(moment: string): number {
  return Date.parse(`${moment.replace(" ", "T").padEnd(11, "T").padEnd(19, "00:00:00")}Z`);
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

export function followingDay(text: string): string {
  return dayOf(millisecondsOf(text.slice(0, 10)) + day);
}

/** Returns the first day of the period, or for hours its first moment. */
export function periodOf(moment: string, grain: TimeGrain, weekStart: number): string {
  const [year = "", month = ""] = moment.split("-");
  switch (grain) {
    case "hour":
      return `${moment.slice(0, 13)}:00:00`;
    case "day":
      return moment.slice(0, 10);
    case "week": {
      const start = millisecondsOf(moment.slice(0, 10));
      const passed = (new Date(start).getUTCDay() + 6 - weekStart + 7) % 7;
      return dayOf(start - passed * day);
    }
    case "month":
      return `${year}-${month}-01`;
    case "quarter":
      return `${year}-${String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, "0")}-01`;
    case "year":
      return `${year}-01-01`;
  }
}

/** Shifts a period. A day that the month does not have becomes the last day of the month. A moment keeps its time of day. */
export function shiftPeriod(period: string, count: number, grain: TimeGrain): string {
  if (grain === "hour")
    return new Date(millisecondsOf(period) + count * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  const [date = "", time = ""] = [period.slice(0, 10), period.slice(10)];
  return shiftDay(date, count, grain) + time;
}

function shiftDay(text: string, count: number, grain: Exclude<TimeGrain, "hour">): string {
  if (grain === "day" || grain === "week")
    return dayOf(millisecondsOf(text) + count * day * (grain === "week" ? 7 : 1));
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number);
  const months = count * { month: 1, quarter: 3, year: 12 }[grain];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

/** Returns all periods from the first to the last. */
export function periodsBetween(first: string, last: string, grain: TimeGrain): readonly string[] {
  const periods: string[] = [];
  for (let period = first; period <= last; period = shiftPeriod(period, 1, grain)) periods.push(period);
  return periods;
}
