/** Converts a query's first and last moment to filters on metric_time. As in MetricFlow, both are extended to whole periods. */
import { isCalendarDate, isClockTime, type TimeGrain } from "@bridle/semantic/model-parts";
import { refuseImport } from "../../import-report.ts";

/** Days such as `2024-01-31`, or moments such as `2024-01-31 12:30:00`. Both are inclusive. */
export interface TimeConstraint {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function timeFilters({ from, to }: TimeConstraint, grain: TimeGrain): readonly string[] {
  const time = "{{ TimeDimension('metric_time') }}";
  return [
    ...(from === undefined ? [] : [`${time} >= '${written(startOf(moment(from), grain))}'`]),
    ...(to === undefined ? [] : [`${time} < '${written(after(startOf(moment(to), grain), grain))}'`]),
  ];
}

function moment(text: string): Date {
  const normal = text.replace("T", " ");
  if (isCalendarDate(normal)) return new Date(`${normal}T00:00:00Z`);
  if (isClockTime(normal)) return new Date(`${normal.replace(" ", "T")}Z`);
  return refuseImport(`"${text}" is not a date or time. Write 2024-01-31 or 2024-01-31 12:30:00.`);
}

function startOf(time: Date, grain: TimeGrain): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  switch (grain) {
    case "hour":
      return new Date(Date.UTC(year, month, day, time.getUTCHours()));
    case "day":
      return new Date(Date.UTC(year, month, day));
    case "week":
      return new Date(Date.UTC(year, month, day - ((time.getUTCDay() + 6) % 7)));
    case "month":
      return new Date(Date.UTC(year, month));
    case "quarter":
      return new Date(Date.UTC(year, month - (month % 3)));
    case "year":
      return new Date(Date.UTC(year, 0));
  }
}

const months: Readonly<Partial<Record<TimeGrain, number>>> = { month: 1, quarter: 3, year: 12 };
const hours: Readonly<Partial<Record<TimeGrain, number>>> = { hour: 1, day: 24, week: 168 };

function after(start: Date, grain: TimeGrain): Date {
  const next = new Date(start);
  next.setUTCMonth(next.getUTCMonth() + (months[grain] ?? 0));
  next.setUTCHours(next.getUTCHours() + (hours[grain] ?? 0));
  return next;
}

function written(time: Date): string {
  const text = time.toISOString();
  return text.slice(11, 19) === "00:00:00" ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}
