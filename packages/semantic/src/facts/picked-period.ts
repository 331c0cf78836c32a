/** Plans cumulative metrics that show the value of one day, or the average of all days, for a period of several days. */

import { type TimeGrain, timeGrains } from "../expressions/time-grains.ts";
import {
  computedColumn,
  namedRelation,
  selectFrom,
  sqlAggregate,
  sqlBinary,
  sqlLiteral,
} from "../ir/build-expression.ts";
import type { NamedRelation, SelectedColumn, SelectRelation, SqlExpression } from "../ir/sql-expression.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import { dimensionNamed } from "../plan/bind-dimension.ts";
import { keyField, keyPath } from "../plan/bind-key.ts";
import type { TimeBehaviour } from "../plan/leaf.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { aggregateMeasure, columnsFrom } from "./aggregate-measure.ts";
import type { MeasureFact } from "./fact.ts";
import type { FactPart } from "./fact-part.ts";
import { type OverTimeFact, periodsAround, planOverTimeFact, planPresence } from "./over-time-fact.ts";
import { cutConditions, nameOfPeriods, type PeriodAxis, periodColumn } from "./period-axis.ts";
import { type PeriodBounds, planPeriods } from "./periods.ts";
import { readSpine } from "./read-spine.ts";

type Pick = NonNullable<Extract<TimeBehaviour, { kind: "cumulative" }>["pick"]>;
export interface PickedPeriod {
  readonly pick: Pick;
  /** The grain of the picked periods: days, or the stored grain of the time. */
  readonly grain: TimeGrain;
}

/** Returns how a period's value is picked, if the periods of the query are longer than those of the metric. */
export function pickedPeriod(
  context: PlanContext,
  { behaviour, model, leaves: [first] }: MeasureFact,
  { key, grain }: PeriodAxis,
): PickedPeriod | undefined {
  if (behaviour.kind !== "cumulative" || !behaviour.pick || !first) return undefined;
  const path = keyPath(context, model.name, keyField(key, first.leaf));
  const stored = dimensionNamed(context.models.model(path.model), path.name).grain;
  const grains: readonly string[] = timeGrains;
  const order = (each: string | undefined) => grains.indexOf(each ?? "");
  const own = timeGrains[Math.max(order(stored), order("day"))] ?? "day";
  return order(grain) > order(own) ? { pick: behaviour.pick, grain: own } : undefined;
}

export function planPickedFact(
  context: PlanContext,
  fact: MeasureFact,
  name: string,
  filters: readonly MetricFilter[],
  axis: PeriodAxis,
  { pick, grain }: PickedPeriod,
): OverTimeFact {
  const { behaviour } = fact;
  const key = { ...axis.key, grain };
  const inner: PeriodAxis = { ...axis, key, grain, cuts: [], periods: `${name}_days` };
  const keys = context.keys.map((each) => (each === axis.key ? key : each));
  const plain = behaviour.kind === "cumulative" ? { ...behaviour, pick: undefined } : behaviour;
  const ofDays = planOverTimeFact(
    { ...context, keys, query: { ...context.query, omitEmpty: true } },
    { ...fact, behaviour: plain },
    `${name}_daily`,
    filters,
    inner,
  );
  const around = periodsAround(name, ofDays.base, axis, grain);
  const presence = context.query.omitEmpty ? [] : [planPresence(name, ofDays.base, axis, grain)];
  const [daily] = ofDays.parts;
  const picked = daily ? [pickDays(name, daily, axis, pick, planDays(context, axis, inner))] : [];
  context.assumptions.add(`A cumulative metric by ${axis.grain} shows ${wordsOf[pick]} of each ${axis.grain}.`);
  return {
    relations: [...ofDays.relations, around],
    periodsOf: around.name,
    base: ofDays.base,
    parts: [...picked, ...presence],
  };
}

const wordsOf: Readonly<Record<Pick, string>> = {
  first: "the first value",
  last: "the last value",
  average: "the average of the values",
};

/** Plans all days in the query's periods, or in its spine. */
function planDays(context: PlanContext, axis: PeriodAxis, inner: PeriodAxis): readonly NamedRelation[] {
  return planPeriods(inner, [], readSpine(context, inner) ?? daysOfPeriods(axis, inner));
}

function daysOfPeriods(axis: PeriodAxis, { grain }: PeriodAxis): PeriodBounds {
  const extreme = (agg: "min" | "max"): SqlExpression => {
    const expression = sqlAggregate(agg, periodColumn(axis));
    const select: SelectRelation = selectFrom(namedRelation(nameOfPeriods(axis), "p"), [{ name: "p", expression }]);
    return { kind: "scalar", select, type: expression.type };
  };
  const { type } = periodColumn(axis);
  const end: SqlExpression = { kind: "shift", operand: extreme("max"), count: 1, grain: axis.grain, type };
  return { first: extreme("min"), last: { kind: "shift", operand: end, count: -1, grain, type } };
}

/** Picks the value of each group and each period of the query. */
function pickDays(
  name: string,
  daily: FactPart,
  axis: PeriodAxis,
  pick: Pick,
  days: readonly NamedRelation[],
): FactPart {
  const { column } = axis.key;
  const day = columnsFrom("d", daily.keys).find((each) => each.name === column)?.expression ?? periodColumn(axis);
  const { grain, weekStart } = axis;
  const period: SqlExpression = { kind: "truncate", operand: day, grain, weekStart, type: periodColumn(axis).type };
  const keys = columnsFrom("d", daily.keys).map((key) => (key.name === column ? { ...key, expression: period } : key));
  const from = namedRelation(daily.name, "d");
  const where = cutConditions(axis, period);
  const before = [...days, ...daily.relations];
  if (pick === "average") {
    const measures = columnsFrom("d", daily.measures).map(({ name: measure, expression }): SelectedColumn => {
      return { name: measure, expression: aggregateMeasure("avg", expression) };
    });
    const relation = selectFrom(from, [...keys, ...measures], {
      where,
      groupBy: keys.map(({ expression }) => expression),
    });
    return { name, relations: [...before, { name, relation }], keys, measures };
  }
  const ranked = `${name}_ranked`;
  const rank: SqlExpression = {
    kind: "window",
    name: "row_number",
    partition: keys.map(({ expression }) => expression),
    type: "integer",
    order: [{ by: day, descending: pick === "last" }],
  };
  const all = [...keys, ...columnsFrom("d", daily.measures), { name: "n", expression: rank }];
  const isPicked = sqlBinary("=", computedColumn("r", "n", rank), sqlLiteral("1", "integer"));
  const shown = columnsFrom("r", keys);
  const measures = columnsFrom("r", daily.measures);
  const relation = selectFrom(namedRelation(ranked, "r"), [...shown, ...measures], { where: [isPicked] });
  const relations = [...before, { name: ranked, relation: selectFrom(from, all, { where }) }, { name, relation }];
  return { name, relations, keys: shown, measures };
}
