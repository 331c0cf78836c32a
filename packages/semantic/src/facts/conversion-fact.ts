/**
 * Plans conversions: each row of the other model counts for the last earlier row of the same entity, within a time window. The query's
 * filters apply to the leading rows, before the last one is chosen.
 */

import { bindComparison } from "../functions/bind-comparison.ts";
import {
  computedColumn,
  namedRelation,
  onlyIf,
  selectFrom,
  sqlAggregate,
  sqlBinary,
  sqlLiteral,
} from "../ir/build-expression.ts";
import type { NamedRelation, SelectedColumn, SqlExpression, SqlWindow } from "../ir/sql-expression.ts";
import { inUtc } from "../ir/wall-clock.ts";
import { isAggregated } from "../models/measure-forms.ts";
import type { MetricFilter, SemanticModel, TimeSpan } from "../models/model-schema.ts";
import { bindMoment } from "../plan/bind-dimension.ts";
import { fieldsOfFilter } from "../plan/fields.ts";
import { FilterPlanner } from "../plan/filter-planner.ts";
import { JoinTree } from "../plan/join-tree.ts";
import type { Leaf } from "../plan/leaf.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { aggregateMeasure, columnsFrom } from "./aggregate-measure.ts";
import type { MeasureFact } from "./fact.ts";
import type { FactPart } from "./fact-part.ts";
import { FactRowsPlanner, primaryKeyOf } from "./fact-rows.ts";
import { bindMeasureInput } from "./measure-input.ts";

type Conversion = Extract<Leaf["behaviour"], { kind: "conversion" }>;

/** The columns of both relations: the entity, the time and the measured value. */
const [entity, moment, value] = ["e", "s", "v"] as const;

export function planConversionFact(
  context: PlanContext,
  fact: MeasureFact,
  name: string,
  filters: readonly MetricFilter[],
): FactPart {
  const { behaviour } = fact;
  const [first] = fact.leaves;
  if (behaviour.kind !== "conversion" || !first) return refuseMetric("invalid_query", "A fact is not a conversion.");
  const leading = planLeading(context, fact, behaviour, filters);
  const following = planFollowing(context, behaviour);
  const [base, events, ranked] = [`${name}_base`, `${name}_events`, `${name}_ranked`];
  const matched = matchRows(leading, following, behaviour.window, base, events);
  const keys = columnsFrom("r", leading.keys);
  const input = following.value && computedColumn("r", value, following.value);
  const counted = aggregateMeasure(following.agg, input);
  const measures = [{ name: first.column, expression: keys.length > 0 ? counted : orNull(counted) }];
  const isLast = sqlBinary("=", computedColumn("r", "n", { type: "integer" }), sqlLiteral("1", "integer"));
  const relation = selectFrom(namedRelation(ranked, "r"), [...keys, ...measures], {
    where: [isLast],
    groupBy: keys.map(({ expression }) => expression),
  });
  const relations: readonly NamedRelation[] = [
    { name: base, relation: leading.select },
    { name: events, relation: following.select },
    { name: ranked, relation: matched },
    { name, relation },
  ];
  context.assumptions.add(`Filters choose the rows of ${fact.model.name} before conversions are matched to them.`);
  return { name, relations, keys, measures };
}

/**
 * Turns a count over no rows into NULL. If there are no rows, a query with keys returns no group. A query without keys returns one group,
 * whose count would be 0.
 */
function orNull(counted: SqlExpression): SqlExpression {
  return onlyIf(sqlBinary(">", sqlAggregate("count", undefined), sqlLiteral("0", "integer")), counted);
}

/** Plans the rows that may lead to others, with the query's keys. */
function planLeading(
  context: PlanContext,
  fact: MeasureFact,
  { entity: [column], constant }: Conversion,
  filters: readonly MetricFilter[],
) {
  const { model } = fact;
  const own = fact.leaves.flatMap(({ leaf }) => leaf.measure.filters ?? []);
  const scoped = own.map((filter) => ({ filter, model: model.name }));
  const planner = new FactRowsPlanner(context, {
    ...fact,
    leaves: countOnly(fact),
    filters: [...fact.filters, ...scoped],
  });
  const time = timeOf(context, model, planner.tree);
  const key = model.primary_key ? primaryKeyOf(context, model, planner.tree) : [];
  const owner = planner.tree.column([], column);
  const constants = constantColumns(
    planner.tree,
    constant.map(([own]) => own),
  );
  const extras = [...key, ...constants, { name: entity, expression: owner }, { name: moment, expression: time }];
  for (const { name, expression } of extras) planner.addExtra(name, expression);
  const rows = planner.plan(filters);
  if (rows.isMultiplied) {
    const why = `A row of ${model.name} is in several groups, and a conversion is counted in one.`;
    refuseMetric("unsupported", `${why} Leave the to-many dimension out.`);
  }
  return { select: rows.select, keys: rows.keys, key, time, owner, constants };
}

function constantColumns(tree: JoinTree, names: readonly string[]): readonly SelectedColumn[] {
  return names.map((column, index) => ({ name: `c${index}`, expression: tree.column([], column) }));
}

/** Numbers rows without a primary key, because each row that follows counts for only one row. */
function numbered(owner: SqlExpression, time: SqlExpression): readonly SelectedColumn[] {
  const order = [owner, time].map((by) => ({ by, descending: false }));
  return [{ name: "p0", expression: { kind: "window", name: "row_number", partition: [], order, type: "integer" } }];
}

/** Changes the fact's measure to a count of rows. Leaves out the measure's own filters, which `planLeading` adds to the fact. */
function countOnly(fact: MeasureFact): MeasureFact["leaves"] {
  return fact.leaves.map(({ leaf, column }) => {
    const { name } = leaf.measure;
    return { column, leaf: { ...leaf, measure: { name, agg: "count" as const } } };
  });
}

/** Plans the rows that follow, each with its key. */
function planFollowing(context: PlanContext, { to, measure: name, entity: [, column], filters, constant }: Conversion) {
  const model = context.models.model(to);
  const found = model.measures?.find((each) => each.name === name);
  const measure =
    found && isAggregated(found) ? found : refuseMetric("unknown_name", `There is no measure "${to}.${name}".`);
  const tree = new JoinTree(context.models, to, context.aliases);
  const planner = new FilterPlanner(context.models, tree);
  const own = (measure.filters ?? []).map((filter) => ({ filter, model: to }));
  const where = [...filters, ...own].map((each) => planner.plan(each.filter, fieldsOfFilter(context, to, each.model)));
  const operand = bindMeasureInput(context.models, tree, { model, measure }, undefined, context.zone);
  const [time, owner] = [timeOf(context, model, tree), tree.column([], column)];
  const key = model.primary_key ? primaryKeyOf(context, model, tree) : numbered(owner, time);
  const constants = constantColumns(
    tree,
    constant.map(([, other]) => other),
  );
  const columns: readonly SelectedColumn[] = [
    ...key,
    ...constants,
    { name: entity, expression: owner },
    { name: moment, expression: time },
    ...(operand ? [{ name: value, expression: operand }] : []),
  ];
  const select = selectFrom(tree.from, columns, { joins: tree.joins, where });
  return { select, key, time, owner, constants, agg: measure.agg, value: operand };
}

type Leading = ReturnType<typeof planLeading>;
type Following = ReturnType<typeof planFollowing>;

function matchRows(leading: Leading, following: Following, window: TimeSpan | undefined, base: string, events: string) {
  const [start, end] = [computedColumn("b", moment, leading.time), computedColumn("c", moment, following.time)];
  if (start.type !== end.type) {
    const why = `A conversion compares a ${start.type} with a ${end.type}.`;
    refuseMetric("unsupported", `${why} Let default_time of both models have one type.`);
  }
  const same = bindComparison(
    "=",
    computedColumn("b", entity, leading.owner),
    computedColumn("c", entity, following.owner),
  );
  const equal = leading.constants.map(({ name, expression }, index) => {
    const other = following.constants[index]?.expression ?? { type: "unknown" as const };
    return bindComparison("=", computedColumn("b", name, expression), computedColumn("c", name, other));
  });
  const on = [
    same,
    ...equal,
    sqlBinary("<=", start, end),
    ...(window ? [sqlBinary(">", start, earliest(end, window))] : []),
  ];
  const partition = columnsFrom("c", following.key).map(({ expression }) => expression);
  const last: SqlWindow = {
    kind: "window",
    name: "row_number",
    partition,
    type: "integer",
    order: lastFirst(start, leading),
  };
  const input = following.value ? [{ name: value, expression: computedColumn("c", value, following.value) }] : [];
  return selectFrom(
    namedRelation(events, "c"),
    [...columnsFrom("b", leading.keys), ...input, { name: "n", expression: last }],
    {
      joins: [
        { ...namedRelation(base, "b"), join: "inner", on: on.reduce((left, right) => sqlBinary("and", left, right)) },
      ],
    },
  );
}

/**
 * Orders the last row first. Among rows at the same moment, the row with the greatest key comes first, or if there is no key, the row with
 * the first group.
 */
function lastFirst(start: SqlExpression, { key, keys }: Leading): SqlWindow["order"] {
  const ties = columnsFrom("b", key.length > 0 ? key : keys);
  const order = ties.map(({ expression }) => ({ by: expression, descending: key.length > 0 }));
  return [{ by: start, descending: true }, ...order];
}

const hoursOf: Readonly<Partial<Record<TimeSpan["grain"], number>>> = { hour: 1, day: 24, week: 168 };

/** Returns the earliest moment of a row that may lead to a row at the given time. */
function earliest(time: SqlExpression, { count, grain }: TimeSpan): SqlExpression {
  if (time.type === "date" && grain !== "hour") {
    return { kind: "shift", operand: time, count: -count, grain, type: "date" };
  }
  const hours = hoursOf[grain];
  if (time.type === "date" || hours === undefined) {
    const why = `A window of ${count} ${grain} cannot be counted from a ${time.type}.`;
    return refuseMetric("unsupported", `${why} Write it in days.`);
  }
  return { kind: "shift", operand: time, count: -count * hours, grain: "hour", type: "timestamp" };
}

/** Returns the time of a row, in UTC. */
function timeOf(context: PlanContext, model: SemanticModel, tree: JoinTree): SqlExpression {
  const name = model.default_time;
  if (name === undefined) {
    const why = `${model.name} is part of a conversion, and declares no default_time.`;
    return refuseMetric("invalid_query", `${why} Declare it.`);
  }
  const time = inUtc(bindMoment(context.models, tree, { steps: [], model: model.name, name }, context.zone));
  if (time.type === "date" || time.type === "timestamp") return time;
  return refuseMetric("invalid_query", `${model.name}.${name} is not a time. Declare its type as time.`);
}
