/** Reads periods from a model's table, such as a calendar. */
import { selectFrom } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { isTimeType } from "../ir/type-rules.ts";
import { bindDimension, checkGrain, dimensionNamed } from "../plan/bind-dimension.ts";
import { splitField } from "../plan/field-path.ts";
import { JoinTree } from "../plan/join-tree.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { nameOfPeriods, type PeriodAxis, periodType } from "./period-axis.ts";
import type { SpineTable } from "./periods.ts";

export function planSpineTable(context: PlanContext, axis: PeriodAxis, field: string): SpineTable {
  const { grain, weekStart } = axis;
  const [model = "", name = "", ...more] = splitField(context.models, field);
  if (more.length > 0)
    refuseMetric("invalid_query", `The spine "${field}" leads through joins. Write model.dimension.`);
  const tree = new JoinTree(context.models, model, context.aliases);
  const operand = bindDimension(context.models, tree, { steps: [], model, name }, undefined);
  checkGrain(field, dimensionNamed(context.models.model(model), name), grain);
  if (!isTimeType(operand.type) || (grain === "hour" && operand.type === "date"))
    refuseMetric("invalid_query", `The spine "${field}" is a ${operand.type}, and has no ${grain}. Name a time.`);
  const period: SqlExpression = { kind: "truncate", operand, grain, weekStart, type: periodType(grain) };
  const isThere: SqlExpression = { kind: "is_null", operand, isNegated: true, type: "boolean" };
  const options = { isDistinct: true, joins: tree.joins, where: [isThere] };
  return {
    relation: {
      name: nameOfPeriods(axis),
      relation: selectFrom(tree.from, [{ name: "p", expression: period }], options),
    },
  };
}
