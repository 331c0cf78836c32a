/** Plans facts that read other periods: cumulative facts, and facts of an earlier period. Each group has a row from its first period on. */

import type { TimeGrain } from "../expressions/time-grains.ts";
import { computedColumn, namedRelation, selectFrom, sqlAggregate, sqlBinary } from "../ir/build-expression.ts";
import type { NamedRelation, SelectedColumn, SqlExpression, TypedExpression } from "../ir/sql-expression.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import { bindKey, keyField, keyPath } from "../plan/bind-key.ts";
import { JoinTree } from "../plan/join-tree.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { aggregateMeasure, columnsFrom, mergeAggregates } from "./aggregate-measure.ts";
import { isAdditiveAggregation, type MeasureFact } from "./fact.ts";
import type { FactPart } from "./fact-part.ts";
import { FactRowsPlanner, inputName } from "./fact-rows.ts";
import { grainOfStep, stepBack } from "./offset-steps.ts";
import { cutConditions, nameOfPeriods, nestsIn, type PeriodAxis, periodColumn } from "./period-axis.ts";
import { finerGrain, isInWindow, periodAround, withFinerAxis } from "./period-window.ts";
import { planPlainFact } from "./plain-fact.ts";

export interface OverTimeFact {
  /** The source of the parts: rows aggregated by the keys, before other periods are read. */
  readonly relations: readonly NamedRelation[];
  /** The relation with the periods of the data in its key column. */
  readonly periodsOf: string;
  readonly base: FactPart;
  /** The values of each period, and rows for periods without values. */
  readonly parts: readonly FactPart[];
}

const baseAlias = "b";

export function planOverTimeFact(
  context: PlanContext,
  fact: MeasureFact,
  name: string,
  filters: readonly MetricFilter[],
  axis: PeriodAxis,
): OverTimeFact {
  checkAxis(context, fact, axis);
  const { behaviour } = fact;
  const finer = behaviour.kind === "cumulative" ? finerGrain(behaviour, axis.grain) : undefined;
  const inner = finer === undefined ? context : withFinerAxis(context, axis, finer);
  const base = planBase(inner, fact, `${name}_base`, filters);
  const presence = context.query.omitEmpty ? [] : [planPresence(name, base, axis, finer)];
  const parts = [planValues(fact, name, base, axis), ...presence];
  if (finer === undefined) return { relations: base.relations, periodsOf: base.name, base, parts };
  context.assumptions.add(
    `A window that ends within a ${axis.grain} ends with the last ${finer} of each ${axis.grain}.`,
  );
  const around = periodsAround(name, base, axis, finer);
  return { relations: [...base.relations, around], periodsOf: around.name, base, parts };
}

/** Returns the periods of the query that contain rows of a finer grain. */
export function periodsAround(name: string, base: FactPart, axis: PeriodAxis, finer: string): NamedRelation {
  const { column } = axis.key;
  const ofBase = computedColumn(baseAlias, column, typeOfAxis(base, axis));
  const columns = [{ name: column, expression: periodAround(ofBase, axis, finer) }];
  return {
    name: `${name}_around`,
    relation: selectFrom(namedRelation(base.name, baseAlias), columns, { isDistinct: true }),
  };
}

function typeOfAxis(base: FactPart, axis: PeriodAxis): TypedExpression {
  return base.keys.find(({ name }) => name === axis.key.column)?.expression ?? periodColumn(axis);
}

/** Plans the source: aggregates by period if periods can be added up, or else the rows themselves. */
function planBase(context: PlanContext, fact: MeasureFact, name: string, filters: readonly MetricFilter[]): FactPart {
  const { behaviour, leaves } = fact;
  const isAdditive = leaves.every(({ leaf }) => isAdditiveAggregation(leaf.measure.agg));
  if (behaviour.kind === "offset" || isAdditive) return planPlainFact(context, fact, name, filters);
  const rows = new FactRowsPlanner(context, fact).plan(filters);
  const measures = leaves.map(({ column }) => {
    const expression = rows.inputs.get(column);
    return {
      name: inputName(column),
      expression: expression ?? refuseMetric("invalid_query", "A measure has no expression."),
    };
  });
  return { name, relations: [{ name, relation: rows.select }], keys: rows.keys, measures };
}

function planValues(fact: MeasureFact, name: string, base: FactPart, axis: PeriodAxis): FactPart {
  const period = periodColumn(axis);
  const ofBase = computedColumn(baseAlias, axis.key.column, typeOfAxis(base, axis));
  const { behaviour } = fact;
  const keys = keysWith(base, axis, baseAlias, period);
  if (behaviour.kind === "offset") {
    const on = sqlBinary("=", ofBase, stepBack(period, behaviour.steps, axis.weekStart));
    const measures = columnsFrom(baseAlias, base.measures);
    return joined(name, base, axis, { keys, measures, on: [on], isGrouped: false });
  }
  if (behaviour.kind !== "cumulative")
    return refuseMetric("unsupported", "A metric looks at other periods in an unknown way.");
  const on = isInWindow(behaviour, ofBase, period, axis);
  const measures = fact.leaves.map(({ leaf, column }, index) => {
    const stored = base.measures[index];
    const part = computedColumn(baseAlias, stored?.name ?? column, stored?.expression ?? { type: "unknown" });
    const isMerged = stored?.name === column;
    return {
      name: column,
      expression: isMerged ? mergeAggregates(leaf.measure.agg, part) : aggregateMeasure(leaf.measure.agg, part),
    };
  });
  return joined(name, base, axis, { keys, measures, on, isGrouped: true });
}

interface JoinedColumns {
  readonly keys: readonly SelectedColumn[];
  readonly measures: readonly SelectedColumn[];
  readonly on: readonly SqlExpression[];
  readonly isGrouped: boolean;
}

function joined(
  name: string,
  base: FactPart,
  axis: PeriodAxis,
  { keys, measures, on, isGrouped }: JoinedColumns,
): FactPart {
  const relation = selectFrom(namedRelation(nameOfPeriods(axis), "p"), [...keys, ...measures], {
    joins: [
      {
        ...namedRelation(base.name, baseAlias),
        join: "inner",
        on: on.reduce((left, right) => sqlBinary("and", left, right)),
      },
    ],
    where: cutConditions(axis, periodColumn(axis)),
    ...(isGrouped && { groupBy: keys.map(({ expression }) => expression) }),
  });
  return { name, relations: [{ name, relation }], keys, measures };
}

/** Plans one row, without values, for each group and each period from the group's first on. */
export function planPresence(name: string, base: FactPart, axis: PeriodAxis, finer: string | undefined): FactPart {
  const others = otherKeys(base, axis);
  const starts = `${name}_starts`;
  const ofGroup = columnsFrom(baseAlias, others);
  const first = sqlAggregate("min", computedColumn(baseAlias, axis.key.column, typeOfAxis(base, axis)));
  const startsRelation: NamedRelation = {
    name: starts,
    relation: selectFrom(namedRelation(base.name, baseAlias), [...ofGroup, { name: "first", expression: first }], {
      groupBy: ofGroup.map(({ expression }) => expression),
    }),
  };
  const period = periodColumn(axis);
  const keys = keysWith(base, axis, "s", period);
  const rows = `${name}_rows`;
  const relation = selectFrom(namedRelation(nameOfPeriods(axis), "p"), keys, {
    joins: [
      {
        ...namedRelation(starts, "s"),
        join: "inner",
        on: sqlBinary(">=", period, periodAround(computedColumn("s", "first", first), axis, finer)),
      },
    ],
    where: cutConditions(axis, period),
  });
  return { name: rows, relations: [startsRelation, { name: rows, relation }], keys, measures: [] };
}

function otherKeys(base: FactPart, axis: PeriodAxis): readonly SelectedColumn[] {
  return base.keys.filter(({ name }) => name !== axis.key.column);
}

function keysWith(base: FactPart, axis: PeriodAxis, alias: string, period: SqlExpression): readonly SelectedColumn[] {
  return columnsFrom(alias, base.keys).map((key) =>
    key.name === axis.key.column ? { name: key.name, expression: period } : key,
  );
}

/** Returns the grains of the earlier periods that a metric shows instead of its own. */
function grainsOf(behaviour: MeasureFact["behaviour"]): readonly TimeGrain[] {
  if (behaviour.kind === "offset") return behaviour.steps.map(grainOfStep);
  return behaviour.kind === "cumulative" ? behaviour.before.map(grainOfStep) : [];
}

/** Refuses facts without whole periods, and rows that are in several periods. */
function checkAxis(context: PlanContext, { model, leaves, behaviour }: MeasureFact, { key, grain }: PeriodAxis): void {
  const [first] = leaves;
  if (!first) return;
  if (behaviour.kind === "cumulative" && first.leaf.measure.semi_additive) {
    const name = `${model.name}.${first.leaf.measure.name}`;
    refuseMetric(
      "unsupported",
      `${name} is semi-additive, so its periods do not add up. Ask for it without a cumulative metric.`,
    );
  }
  const path = keyPath(context, model.name, keyField(key, first.leaf));
  if (path.steps.some(({ isToMany }) => isToMany)) {
    const why = `A row of ${model.name} may be in several periods of ${path.model}.${path.name}.`;
    refuseMetric("unsupported", `${why} Use a time of ${model.name}.`);
  }
  bindKey(context, key, path, new JoinTree(context.models, model.name, context.aliases));
  const larger = grainsOf(behaviour).find((each) => !nestsIn(grain, each));
  if (larger !== undefined) {
    const what = `${first.leaf.model.name}.${first.leaf.measure.name}`;
    const why = `A metric looks back by ${larger} at ${what}, and the query groups by ${grain}: a ${larger} does not consist of whole periods.`;
    refuseMetric("invalid_query", `${why} Group by a smaller period.`);
  }
}
