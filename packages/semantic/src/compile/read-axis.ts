/** Reads a query's axis of periods, and the filters that cut the axis. */
import type { MeasureFact } from "../facts/fact.ts";
import { movesRows, timeSource } from "../facts/moved-rows.ts";
import type { PeriodAxis } from "../facts/period-axis.ts";
import { readSpine } from "../facts/read-spine.ts";
import { type AxisTime, splitTimeFilters } from "../facts/time-cuts.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import { dimensionNamed } from "../plan/bind-dimension.ts";
import { keyField, keyPath } from "../plan/bind-key.ts";
import { resolveField } from "../plan/field-path.ts";
import { fieldsOfFilter } from "../plan/fields.ts";
import { filterTree, pathsInTree } from "../plan/filter-tree.ts";
import type { Leaf } from "../plan/leaf.ts";
import type { KeyRequest, PeriodsWithin, PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

export interface SplitQuery {
  readonly axis: PeriodAxis | undefined;
  /** The query's filters, except those that cut off parts of periods. */
  readonly others: readonly MetricFilter[];
  readonly cutsData: boolean;
  /** Whether a row of the measure may be in several groups. */
  readonly multiplied: (leaf: Leaf) => boolean;
}

export function readAxis(context: PlanContext, facts: readonly MeasureFact[]): SplitQuery {
  const { query, keys, models } = context;
  const overTime = facts.filter(
    ({ behaviour }) =>
      (behaviour.kind === "cumulative" || behaviour.kind === "offset") && !movesRows(context, behaviour),
  );
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
  if (overTime.length === 0) {
    const cuts = fillsPeriods(query) ? cutsOfSpine(context, facts, basic) : [];
    return { axis: { ...basic, cuts }, others: filters, cutsData: false, multiplied };
  }
  const times = overTime.map((fact) => timeOf(context, fact, key));
  const cutAxis = { ...basic, isPeriod: isPeriod(context, overTime, key) };
  const [split, ...more] = times.map((time) => splitTimeFilters(models, filters, cutAxis, time));
  if (more.some((each) => JSON.stringify(each, bigText) !== JSON.stringify(split, bigText))) {
    const why = "A filter is on the time of one metric that looks at other periods, and on rows of another.";
    refuseMetric("ambiguous_question", `${why} Ask for each of them alone.`);
  }
  const axis: PeriodAxis = { ...basic, cuts: split?.cuts ?? [] };
  return { axis, others: split?.others ?? filters, cutsData: axis.cuts.length > 0, multiplied };
}

function bigText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Recognizes the filter fields that are the key's time. Dimensions over the same column are the same time. */
function timeOf(context: PlanContext, { model, leaves }: MeasureFact, key: KeyRequest): AxisTime {
  const [first] = leaves;
  const path = first && keyPath(context, model.name, keyField(key, first.leaf));
  const wanted = path && timeSource(context, path);
  const fields = fieldsOfFilter(context, model.name, undefined);
  return {
    isTime: (field) => timeSource(context, resolveField(context.models, model.name, field, context.via)) === wanted,
    isInSegment: (segment) =>
      pathsInTree(filterTree(context.models, { segment }, fields)).some((each) => timeSource(context, each) === wanted),
  };
}

/** Whether the key's time is stored in periods of the query's grain, so that its value is the period. */
function isPeriod(context: PlanContext, facts: readonly MeasureFact[], key: KeyRequest): boolean {
  return facts.every(({ model, leaves: [first] }) => {
    if (!first) return false;
    const path = keyPath(context, model.name, keyField(key, first.leaf));
    return dimensionNamed(context.models.model(path.model), path.name).grain === key.grain;
  });
}

/** Returns the cuts of a calendar's periods by the query's filters. */
function cutsOfSpine(context: PlanContext, facts: readonly MeasureFact[], basic: Omit<PeriodAxis, "cuts">) {
  const { models, query } = context;
  const [fact] = facts;
  if (!fact || !query.spine || !("field" in query.spine)) return [];
  const axis = { ...basic, isPeriod: isPeriod(context, facts, basic.key) };
  return splitTimeFilters(models, query.filters ?? [], axis, timeOf(context, fact, basic.key)).cuts;
}

/** Splits a query without periods, in which a cumulative measure over all time equals the measure itself. */
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
    const isOverAll =
      behaviour.kind === "cumulative" && !behaviour.window && !behaviour.toDate && behaviour.before.length === 0;
    if (isOverAll && filters.length === 0) continue;
    refuseMetric(
      "invalid_query",
      `A metric of ${model.name} looks at other periods, and the query has none. Add a dimension of time with a grain.`,
    );
  }
  return { axis: undefined, others: filters, cutsData: false, multiplied };
}

/** Whether the result has all periods, and not only those with rows. */
export function fillsPeriods({ fillMissing, spine, omitEmpty }: PlanContext["query"]): boolean {
  return fillMissing === true || (spine !== undefined && omitEmpty !== true);
}

/** Returns the periods of the spine. Rows outside these periods are not shown. */
export function periodsOfSpine(context: PlanContext): PeriodsWithin | undefined {
  const key = context.keys.find(({ grain }) => grain !== undefined);
  if (!key?.grain) return undefined;
  const bounds = readSpine(context, { key, grain: key.grain, weekStart: context.weekStart, cuts: [] });
  return bounds && "first" in bounds ? { key, ...bounds } : undefined;
}
