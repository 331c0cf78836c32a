/** Determines the time range of a spine. */

import { type TimeGrain, timeGrains } from "../expressions/time-grains.ts";
import { selectFrom, sqlAggregate, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SelectRelation, SqlExpression } from "../ir/sql-expression.ts";
import { alignTimes } from "../ir/wall-clock.ts";
import { bindDimension, dimensionNamed } from "../plan/bind-dimension.ts";
import { splitField } from "../plan/field-path.ts";
import { JoinTree } from "../plan/join-tree.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { periodType } from "./period-axis.ts";

/** Returns conditions that keep a time between the first and the last period of the query's spine. */
export function withinSpine(context: PlanContext, time: SqlExpression): readonly SqlExpression[] {
  const { spine } = context.query;
  if (!spine) return [];
  const { first, end } = "field" in spine ? extentOfTable(context, spine.field) : extentOfDays(spine.from, spine.to);
  return [compared(">=", time, first), compared("<", time, end)];
}

function compared(operator: ">=" | "<", time: SqlExpression, bound: SqlExpression): SqlExpression {
  const [left = time, right = bound] = alignTimes([time, bound], undefined);
  return sqlBinary(operator, left, right);
}

interface Extent {
  readonly first: SqlExpression;
  /** The first moment after the last period. */
  readonly end: SqlExpression;
}

function extentOfDays(from: string, to: string): Extent {
  return { first: sqlLiteral(from, "date"), end: after(sqlLiteral(to, "date"), "day") };
}

function extentOfTable(context: PlanContext, field: string): Extent {
  const [model = "", name = ""] = splitField(context.models, field);
  const stored = dimensionNamed(context.models.model(model), name).grain;
  const grain = timeGrains.find((each) => each === stored) ?? "day";
  const extreme = (agg: "min" | "max"): SqlExpression => {
    const tree = new JoinTree(context.models, model, context.aliases);
    const operand = bindDimension(context.models, tree, { steps: [], model, name }, undefined);
    const period: SqlExpression = { kind: "truncate", operand, grain, weekStart: 0, type: periodType(grain) };
    const expression = sqlAggregate(agg, period);
    const select: SelectRelation = selectFrom(tree.from, [{ name: "p", expression }], { joins: tree.joins });
    return { kind: "scalar", select, type: expression.type };
  };
  return { first: extreme("min"), end: after(extreme("max"), grain) };
}

function after(operand: SqlExpression, grain: TimeGrain): SqlExpression {
  return { kind: "shift", operand, count: 1, grain, type: operand.type };
}
