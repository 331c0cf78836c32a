/** What a measure aggregates, for each row of its model. */
import { exactOrder, onlyIf, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression, SqlType } from "../ir/sql-expression.ts";
import type { ModelMeasure } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { resolveFieldOrColumn, resolveInModel } from "../plan/bind-dimension.ts";
import { bindExpression } from "../plan/bind-expression.ts";
import type { JoinTree } from "../plan/join-tree.ts";
import type { Leaf } from "../plan/leaf.ts";
import { requireType } from "../plan/type-rules.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

const numbers: readonly SqlType[] = ["integer", "decimal", "double", "number"];
const ordered: readonly SqlType[] = [...numbers, "text", "date", "timestamp", "timestamptz"];

/** The expression of the measure, or NULL for rows that its filters leave out. Undefined: each row counts. */
export function bindMeasureInput(
  models: ModelSet,
  tree: JoinTree,
  leaf: Pick<Leaf, "model" | "measure" | "operand">,
  condition: SqlExpression | undefined,
): SqlExpression | undefined {
  const { measure } = leaf;
  const operand = leaf.operand
    ? bindExpression(leaf.operand, resolveFieldOrColumn(models, tree, leaf.model.name))
    : measureOperand(models, tree, leaf.model.name, measure);
  if (operand) checkOperand(measure, operand);
  const exact = operand && (measure.agg === "count" ? operand : exactOrder(operand));
  if (condition === undefined) return exact;
  return onlyIf(condition, exact ?? sqlLiteral("1", "integer"));
}

function measureOperand(
  models: ModelSet,
  tree: JoinTree,
  model: string,
  measure: ModelMeasure,
): SqlExpression | undefined {
  const { agg, expr, name } = measure;
  if (expr === undefined) return agg === "count" ? undefined : tree.column([], name);
  if (agg === "count" && expr.trim() === "*") return undefined;
  return bindExpression(models.parse(expr), resolveInModel(models, tree, [], model));
}

function checkOperand({ name, agg }: ModelMeasure, operand: SqlExpression): void {
  if (agg === "sum" || agg === "avg" || agg === "median")
    requireType(operand, numbers, `${agg} of the measure ${name}`);
  if (agg === "min" || agg === "max") requireType(operand, ordered, `${agg} of the measure ${name}`);
  if (operand.kind === "literal" && operand.value === null) {
    refuseMetric("invalid_expression", `The measure ${name} aggregates NULL. Write an expression over columns.`);
  }
}
