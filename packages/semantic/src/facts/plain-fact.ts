/** Plans a fact that is aggregated by the keys: plain, semi-additive, or a median on an engine without a median function. */
import {
  allOf,
  computedColumn,
  exactOrder,
  onlyIf,
  quotient,
  sqlAggregate,
  sqlBinary,
  sqlLiteral,
} from "../ir/build-expression.ts";
import type { SelectedColumn, SelectRelation, SqlExpression, SqlWindow } from "../ir/sql-expression.ts";
import { isTimeType } from "../ir/type-rules.ts";
import { shownMoment } from "../ir/wall-clock.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import { bindDimension, bindMoment } from "../plan/bind-dimension.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { aggregateMeasure } from "./aggregate-measure.ts";
import type { MeasureFact } from "./fact.ts";
import type { FactBase } from "./fact-part.ts";
import { type FactRows, FactRowsPlanner, inputColumn } from "./fact-rows.ts";
import { periodKeys } from "./period-keys.ts";

export function planPlainFact(
  context: PlanContext,
  fact: MeasureFact,
  name: string,
  filters: readonly MetricFilter[],
): FactBase {
  switch (fact.shape) {
    case "semi_additive":
      return planSemiAdditive(context, fact, name, filters);
    case "median":
      return planMedian(context, fact, name, filters);
    default: {
      const rows = new FactRowsPlanner(context, fact).plan(filters);
      return aggregated(context, fact, name, rows, rows.select);
    }
  }
}

const alias = "r";

function aggregated(
  { zone }: PlanContext,
  fact: MeasureFact,
  name: string,
  rows: FactRows,
  from: SelectRelation,
  where: readonly SqlExpression[] = [],
): FactBase {
  const measures = fact.leaves.map(({ leaf, column }) => {
    const aggregate = aggregateMeasure(leaf.measure.agg, inputColumn(rows, alias, column));
    return { name: column, expression: shownMoment(aggregate, rows.inputs.get(column), zone) };
  });
  return grouped(name, rows, from, measures, where);
}

function grouped(
  name: string,
  rows: FactRows,
  from: SelectRelation,
  measures: readonly SelectedColumn[],
  where: readonly SqlExpression[],
): FactBase {
  const keys = keyColumns(rows);
  const relation: SelectRelation = {
    kind: "select",
    from: { relation: from, alias },
    where,
    columns: [...keys, ...measures],
    groupBy: keys.map(({ expression }) => expression),
  };
  return { name, relations: [{ name, relation }], keys, measures, isMultiplied: rows.isMultiplied };
}

function keyColumns({ keys }: FactRows): readonly SelectedColumn[] {
  return keys.map((key) => ({ name: key.name, expression: computedColumn(alias, key.name, key.expression) }));
}

/**
 * Counts the rows at the first or last time of each period, separately for everything in `per`. Keys other than the period do not affect
 * the choice of rows, so that groups add up to the total.
 */
function planSemiAdditive(
  context: PlanContext,
  fact: MeasureFact,
  name: string,
  filters: readonly MetricFilter[],
): FactBase {
  const [{ leaf } = refuseMetric("invalid_query", "A fact has no measure.")] = fact.leaves;
  const spec =
    leaf.measure.semi_additive ?? refuseMetric("invalid_query", `${leaf.measure.name} is not semi-additive.`);
  const planner = new FactRowsPlanner(context, withMeasureFilters(fact));
  const path = { steps: [], model: fact.model.name, name: spec.time };
  const time = bindMoment(context.models, planner.tree, path, context.zone);
  if (!isTimeType(time.type) && time.type !== "unknown") {
    refuseMetric(
      "invalid_query",
      `${fact.model.name}.${spec.time} is not a time, but ${leaf.measure.name} is semi-additive over it.`,
    );
  }
  const per = (spec.per ?? []).map((column) => perColumn(context, planner, fact, column));
  planner.addExtra("s", time);
  per.forEach((expression, index) => {
    planner.addExtra(`q${index}`, expression);
  });
  const rows = planner.plan(filters);
  const partition = [
    ...per.map((expression, index) => computedColumn(alias, `q${index}`, expression)),
    ...periodKeys(context, fact, spec).map((column) => {
      const key = rows.keys.find((each) => each.name === column);
      return computedColumn(alias, column, key?.expression ?? { type: "unknown" });
    }),
  ];
  const at = computedColumn(alias, "s", time);
  const rank: SqlWindow = {
    kind: "window",
    name: "rank",
    partition,
    type: "integer",
    order: [{ by: at, descending: spec.pick === "last" }],
  };
  const ranked: SelectRelation = {
    kind: "select",
    from: { relation: rows.select, alias },
    columns: [...passOn(rows), { name: "n", expression: rank }],
    where: [{ kind: "is_null", operand: at, isNegated: true, type: "boolean" }],
  };
  const first = sqlBinary("=", computedColumn(alias, "n", rank), sqlLiteral("1", "integer"));
  return aggregated(context, fact, name, rows, ranked, [first]);
}

/** Applies the measure's filters to the rows first, so that no row that they leave out is chosen as the last one. */
function withMeasureFilters(fact: MeasureFact): MeasureFact {
  const own = fact.leaves.flatMap(({ leaf }) => leaf.measure.filters ?? []);
  const leaves = fact.leaves.map(({ leaf, column }) => {
    const { filters: _, ...measure } = leaf.measure;
    return { column, leaf: { ...leaf, measure } };
  });
  return { ...fact, leaves, filters: [...fact.filters, ...own.map((filter) => ({ filter, model: fact.model.name }))] };
}

function perColumn(context: PlanContext, planner: FactRowsPlanner, fact: MeasureFact, name: string): SqlExpression {
  const isDimension = fact.model.dimensions?.some((dimension) => dimension.name === name);
  if (!isDimension) return exactOrder(planner.tree.column([], name));
  const path = { steps: [], model: fact.model.name, name };
  return exactOrder(bindDimension(context.models, planner.tree, path, context.zone));
}

/** Computes the middle value, or the mean of the two middle values, by the position of each value in its group. */
function planMedian(context: PlanContext, fact: MeasureFact, name: string, filters: readonly MetricFilter[]): FactBase {
  const rows = new FactRowsPlanner(context, fact).plan(filters);
  const [{ column } = refuseMetric("invalid_query", "A fact has no measure.")] = fact.leaves;
  const value = inputColumn(rows, alias, column) ?? refuseMetric("invalid_query", "A median needs an expression.");
  const partition = keyColumns(rows).map(({ expression }) => expression);
  const position: SqlWindow = {
    kind: "window",
    name: "row_number",
    partition,
    type: "integer",
    order: [{ by: value, descending: false }],
  };
  const count: SqlWindow = { kind: "window", name: "count", operand: value, partition, order: [], type: "integer" };
  const ranked: SelectRelation = {
    kind: "select",
    from: { relation: rows.select, alias },
    columns: [...passOn(rows), { name: "n", expression: position }, { name: "c", expression: count }],
  };
  const double = sqlBinary("*", computedColumn(alias, "n", position), sqlLiteral("2", "integer"), { type: "integer" });
  const all = computedColumn(alias, "c", count);
  const isMiddle = allOf([
    { kind: "is_null", operand: value, isNegated: true, type: "boolean" },
    sqlBinary(">=", double, all),
    sqlBinary("<=", double, sqlBinary("+", all, sqlLiteral("2", "integer"), { type: "integer" })),
  ]);
  const middle = onlyIf(isMiddle, value);
  const mean = quotient(sqlAggregate("sum", middle), sqlAggregate("count", middle));
  return grouped(name, rows, ranked, [{ name: column, expression: mean }], []);
}

function passOn({ select }: FactRows): readonly SelectedColumn[] {
  return select.columns.map((column) => ({
    name: column.name,
    expression: computedColumn(alias, column.name, column.expression),
  }));
}
