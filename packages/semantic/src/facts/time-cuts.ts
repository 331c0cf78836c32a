/**
 * Filters on the time of the query's periods. For metrics that read other periods, such filters limit the periods in the result, but not
 * the periods that are read.
 */
import { isCalendarDate, isClockTime, nextDay } from "../expressions/calendar.ts";
import type { ParsedExpression } from "../expressions/expression.ts";
import { jsonText } from "../expressions/json-text.ts";
import { namesInExpression } from "../expressions/names-in-expression.ts";
import type { TimeGrain } from "../expressions/time-grains.ts";
import { sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { PeriodCut } from "./period-axis.ts";

export interface SplitFilters {
  readonly cuts: readonly PeriodCut[];
  /** Filters on other fields. */
  readonly others: readonly MetricFilter[];
}

/** The time field that the query is grouped by. */
export interface AxisTime {
  /** Whether a field in a query is this time. */
  isTime(field: string): boolean;
  /** Whether a segment refers to this time. */
  isInSegment(segment: string): boolean;
}

interface CutAxis {
  readonly grain: TimeGrain;
  readonly weekStart: number;
  /** Whether the values of the field are the periods themselves. */
  readonly isPeriod: boolean;
}

export function splitTimeFilters(
  models: ModelSet,
  filters: readonly MetricFilter[],
  axis: CutAxis,
  time: AxisTime,
): SplitFilters {
  const cuts: PeriodCut[] = [];
  const others: MetricFilter[] = [];
  for (const filter of filters) {
    if (!namesTime(models, filter, time)) others.push(filter);
    else cuts.push(...cutsOf(models, filter, axis, (field) => time.isTime(field)));
  }
  return { cuts, others };
}

function cutsOf(
  models: ModelSet,
  filter: MetricFilter,
  axis: CutAxis,
  isTime: (field: string) => boolean,
): readonly PeriodCut[] {
  if (typeof filter === "string" && axis.isPeriod) {
    const condition = models.parse(filter);
    const isOfPeriod = namesInExpression(condition).every((path) => isTime(path.join(".")));
    if (isOfPeriod) return [{ kind: "condition", condition }];
  }
  return boundsOf(models, filter, isTime).map((bound) => toCut(bound, axis));
}

function namesTime(models: ModelSet, filter: MetricFilter, time: AxisTime): boolean {
  if (typeof filter === "string")
    return namesInExpression(models.parse(filter)).some((path) => time.isTime(path.join(".")));
  if ("or" in filter) return filter.or.some((each) => namesTime(models, each, time));
  if ("and" in filter) return filter.and.some((each) => namesTime(models, each, time));
  if (!("segment" in filter)) return time.isTime(filter.field);
  if (!time.isInSegment(filter.segment)) return false;
  const why = `The segment ${filter.segment} holds a bound of time, and a metric of the query looks at other periods.`;
  return refuseMetric("unsupported", `${why} Write the filter itself into the query.`);
}

interface Bound {
  readonly operator: string;
  readonly value: string;
}

function boundsOf(models: ModelSet, filter: MetricFilter, isTime: (field: string) => boolean): readonly Bound[] {
  if (typeof filter === "string") return boundsOfExpression(models.parse(filter), filter, isTime);
  if ("and" in filter) return filter.and.flatMap((each) => boundsOf(models, each, isTime));
  // Every period has a time, and rows without a time belong to no period.
  if ("field" in filter && isTime(filter.field) && filter.op === "is not null") return [];
  if ("field" in filter && isTime(filter.field) && typeof filter.value === "string") {
    return boundsFor(filter.op, filter.value);
  }
  return refuseCut(jsonText(filter));
}

/** Returns the bounds of a condition. A day is the range from its start to its end. */
function boundsFor(operator: string, value: string): readonly Bound[] {
  if (operator !== "=") return [{ operator, value }];
  return [
    { operator: ">=", value },
    { operator: "<=", value },
  ];
}

const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=" };

function boundsOfExpression(
  parsed: ParsedExpression,
  source: string,
  isTime: (field: string) => boolean,
): readonly Bound[] {
  if (parsed.kind === "is_null" && parsed.isNegated && isField(parsed.operand, isTime)) return [];
  if (parsed.kind !== "binary") return refuseCut(source);
  const { operator, left, right } = parsed;
  if (operator === "and") return [left, right].flatMap((each) => boundsOfExpression(each, source, isTime));
  if (isField(left, isTime) && right.kind === "literal") return boundsFor(operator, right.value);
  const turned = mirrored[operator];
  if (isField(right, isTime) && left.kind === "literal" && turned !== undefined) return boundsFor(turned, left.value);
  return refuseCut(source);
}

function isField(parsed: ParsedExpression, isTime: (field: string) => boolean): boolean {
  return parsed.kind === "name" && isTime(parsed.path.join("."));
}

function refuseCut(filter: string): never {
  const why = `The filter ${filter} is on the time of a metric that looks at other periods, but is not a range.`;
  return refuseMetric("unsupported", `${why} Write bounds such as ">=" and "<" with a date.`);
}

function toCut({ operator, value }: Bound, { grain, weekStart }: { grain: TimeGrain; weekStart: number }): PeriodCut {
  const text = value.replace("T", " ");
  const isDay = isCalendarDate(text);
  if (!isDay && !isClockTime(text))
    refuseMetric("invalid_value", `"${value}" is not a date or time. Write 2024-01-31 or 2024-01-31 12:30:00.`);
  const isUpper = operator === "<" || operator === "<=";
  if (!isUpper && operator !== ">=" && operator !== ">") refuseCut(`${operator} ${value}`);
  if (!isDay && (operator === "<=" || operator === ">")) refuseCut(`${operator} ${value}`);
  const start = isDay && (operator === "<=" || operator === ">") ? nextDay(text) : text;
  if (!isBoundary(start, grain, weekStart)) {
    const why = `The filter ${operator} ${value} divides a ${grain}, and a metric of the query looks at other periods.`;
    refuseMetric("ambiguous_question", `${why} Write the first or last day of a ${grain}.`);
  }
  return { kind: "bound", operator: isUpper ? "<" : ">=", literal: startOf(start, grain) };
}

function startOf(text: string, grain: TimeGrain): SqlExpression {
  const day = text.slice(0, 10);
  if (grain !== "hour") return sqlLiteral(day, "date");
  return sqlLiteral(`${day} ${(text.split(" ")[1] ?? "00:00").slice(0, 5)}:00`, "timestamp");
}

function isBoundary(text: string, grain: TimeGrain, weekStart: number): boolean {
  const [day = "", time = "00:00:00"] = text.split(" ");
  if (!/^\d{2}:00(:00(\.0+)?)?$/.test(time)) return false;
  if (grain === "hour") return true;
  if (!time.startsWith("00")) return false;
  const [, month, date] = day.split("-");
  switch (grain) {
    case "day":
      return true;
    case "week":
      return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7 === weekStart;
    case "month":
      return date === "01";
    case "quarter":
      return date === "01" && ["01", "04", "07", "10"].includes(month ?? "");
    case "year":
      return date === "01" && month === "01";
  }
}
