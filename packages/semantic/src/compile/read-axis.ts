/** The axis of periods of a query, and the filters that cut it. */
import { isCalendarDate } from "../expressions/calendar.ts";
import type { MeasureFact } from "../facts/fact.ts";
import { type PeriodAxis, periodType } from "../facts/period-axis.ts";
import { splitTimeFilters } from "../facts/time-cuts.ts";
import { sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { pathKey } from "../models/join-edge.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import { dimensionNamed } from "../plan/bind-dimension.ts";
import { keyField, keyPath } from "../plan/bind-key.ts";
import { type FieldPath, resolveField } from "../plan/field-path.ts";
import type { Leaf } from "../plan/leaf.ts";
import type { KeyRequest, PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { PeriodBounds } from "../result/periods.ts";

export interface SplitQuery {
  readonly axis: PeriodAxis | undefined;
  /** The filters of the query without those that cut periods. */
  readonly others: readonly MetricFilter[];
  readonly cutsData: boolean;
  /** Whether a row of the measure may be in several groups. */
  readonly multiplied: (leaf: Leaf) => boolean;
}

export function readAxis(context: PlanContext, facts: readonly MeasureFact[]): SplitQuery {
  const { query, keys, models } = context;
  const overTime = facts.filter(({ behaviour }) => behaviour.kind === "cumulative" || behaviour.kind === "offset");
  const needsAxis = overTime.length > 0 || fillsPeriods(query);
  const multiplied = (leaf: Leaf) =>
    keys.some((key) => keyPath(context, leaf.model.name, keyField(key, leaf)).steps.some(({ isToMany }) => isToMany));
  const filters = query.filters ?? [];
  const periods = keys.filter(({ grain }) => grain !== undefined);
  const [key, other] = periods;
  if (!needsAxis && !(query.includeEmpty && key))
    return { axis: undefined, others: filters, cutsData: false, multiplied };
  if (other) refuseMetric("invalid_query", "The query groups by two times, and its periods need one. Leave one out.");
  if (!key?.grain) return withoutAxis(context, overTime, filters, multiplied);
  const basic = { key, grain: key.grain, weekStart: context.weekStart };
  if (overTime.length === 0) return { axis: { ...basic, cuts: [] }, others: filters, cutsData: false, multiplied };
  const times = overTime.map((fact) => timeOf(context, fact, key));
  const [split] = times.map((isTime) => splitTimeFilters(models, filters, basic, isTime));
  const axis: PeriodAxis = { ...basic, cuts: split?.cuts ?? [] };
  return { axis, others: split?.others ?? filters, cutsData: axis.cuts.length > 0, multiplied };
}

/** Whether a field of a filter is the time of the key. Dimensions over the same column are the same time. */
function timeOf(context: PlanContext, { model, leaves }: MeasureFact, key: KeyRequest): (field: string) => boolean {
  const [first] = leaves;
  const path = first && keyPath(context, model.name, keyField(key, first.leaf));
  const sourceOf = (each: FieldPath) => {
    const expr = dimensionNamed(context.models.model(each.model), each.name).expr;
    return `${pathKey(each.steps)} ${expr ?? each.name}`;
  };
  const wanted = path && sourceOf(path);
  return (field) => sourceOf(resolveField(context.models, model.name, field, context.via)) === wanted;
}

/** Without periods, a cumulative measure over all time is the measure. */
function withoutAxis(
  { query }: PlanContext,
  overTime: readonly MeasureFact[],
  filters: readonly MetricFilter[],
  multiplied: SplitQuery["multiplied"],
): SplitQuery {
  if (fillsPeriods(query)) {
    const what = query.fillMissing ? "fillMissing" : "A spine";
    refuseMetric("invalid_query", `${what} needs a dimension with a grain. Add one.`);
  }
  for (const { behaviour, model } of overTime) {
    const isOverAll = behaviour.kind === "cumulative" && !behaviour.window && !behaviour.toDate;
    if (isOverAll && filters.length === 0) continue;
    refuseMetric(
      "invalid_query",
      `A metric of ${model.name} looks at other periods, and the query has none. Add a dimension of time with a grain.`,
    );
  }
  return { axis: undefined, others: filters, cutsData: false, multiplied };
}

/** Whether all periods are in the result, and not only those with rows. */
export function fillsPeriods({ fillMissing, spine }: PlanContext["query"]): boolean {
  return fillMissing === true || spine !== undefined;
}

export function readSpine({ query }: PlanContext, { grain, weekStart }: PeriodAxis): PeriodBounds | undefined {
  if (!query.spine) return undefined;
  const { from, to } = query.spine;
  for (const day of [from, to]) {
    if (!isCalendarDate(day)) refuseMetric("invalid_value", `"${day}" is no date. Write 2024-01-31.`);
  }
  const type = periodType(grain);
  const start = (day: string, time: string): SqlExpression => {
    const operand = grain === "hour" ? sqlLiteral(`${day} ${time}`, "timestamp") : sqlLiteral(day, "date");
    return { kind: "truncate", operand, grain, weekStart, type };
  };
  return { first: start(from, "00:00:00"), last: start(to, "23:00:00") };
}
