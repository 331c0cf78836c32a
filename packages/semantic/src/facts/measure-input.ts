/** Binds the input of a measure for each row of its model. */

import { withNumberType } from "../functions/bind-cast.ts";
import { numberTypes, timeTypes } from "../functions/known-function.ts";
import { exactOrder, onlyIf, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression, SqlType } from "../ir/sql-expression.ts";
import { requireType } from "../ir/type-rules.ts";
import type { ModelMeasure } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { resolveFieldOrColumn, resolveInModel } from "../plan/bind-dimension.ts";
import { bindExpression } from "../plan/bind-expression.ts";
import type { JoinTree } from "../plan/join-tree.ts";
import type { Leaf } from "../plan/leaf.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

const ordered: readonly SqlType[] = [...numberTypes, ...timeTypes, "text", "uuid"];

/**
 * Returns the measure's expression, or NULL for rows that its filters leave out; undefined if each row counts. Days and hours in the
 * expression use the query's zone; a plain moment keeps its stored value.
 */
export function bindMeasureInput(
  models: ModelSet,
  tree: JoinTree,
  leaf: Pick<Leaf, "model" | "measure" | "operand">,
  condition: SqlExpression | undefined,
  zone: string | undefined,
): SqlExpression | undefined {
  const { measure } = leaf;
  const operand = leaf.operand
    ? bindExpression(leaf.operand, resolveFieldOrColumn(models, tree, leaf.model.name, zone), zone)
    : measureOperand(models, tree, leaf, zone);
  const input = operand && measuredForm(measure, operand);
  const exact = input && (measure.agg === "count" ? input : exactOrder(input));
  if (condition === undefined) return exact;
  return onlyIf(condition, exact ?? sqlLiteral("1", "integer"));
}

function measureOperand(
  models: ModelSet,
  tree: JoinTree,
  { model, measure }: Pick<Leaf, "model" | "measure">,
  zone: string | undefined,
): SqlExpression | undefined {
  const { agg, expr, name } = measure;
  if (expr === undefined) return agg === "count" ? undefined : tree.column([], name);
  if (agg === "count" && expr.trim() === "*") return undefined;
  return bindExpression(models.parse(expr), resolveInModel(models, tree, [], model.name), zone);
}

/** Converts the operand to the type that is aggregated. True counts as 1 in a sum or an average. */
function measuredForm({ name, agg }: ModelMeasure, operand: SqlExpression): SqlExpression {
  if (operand.kind === "literal" && operand.value === null) {
    refuseMetric("invalid_expression", `The measure ${name} aggregates NULL. Write an expression over columns.`);
  }
  if (agg === "sum" || agg === "avg" || agg === "median") {
    const number = agg === "median" ? operand : withNumberType(operand);
    requireType(number, numberTypes, `${agg} of the measure ${name}`);
    return number;
  }
  if (agg === "min" || agg === "max") requireType(operand, ordered, `${agg} of the measure ${name}`);
  return operand;
}
