/** Finds the keys of a query that are periods of a time. Their value for a row follows from the row's time. */
import { namesInExpression } from "../expressions/names-in-expression.ts";
import type { JoinEdge } from "../models/join-edge.ts";
import type { ModelMeasure } from "../models/model-schema.ts";
import { keyField, keyPath } from "../plan/bind-key.ts";
import { type FieldPath, takeJoins } from "../plan/field-path.ts";
import type { KeyRequest, PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MeasureFact } from "./fact.ts";

type SemiAdditive = NonNullable<ModelMeasure["semi_additive"]>;

/**
 * Returns the columns of keys that are periods of a semi-additive measure's time: a grain or a part of that time, an expression of it, or a
 * column of a calendar that is joined by it.
 */
export function periodKeys(
  context: PlanContext,
  { model, leaves }: MeasureFact,
  { time, per = [] }: SemiAdditive,
): readonly string[] {
  const columnsNamed = (name: string) => columnsOf(context, { steps: [], model: model.name, name });
  const own = new Set(columnsNamed(time));
  const ofItem = new Set(per.flatMap(columnsNamed));
  const isPeriod = (key: KeyRequest) => {
    const [first] = leaves;
    if (!first) return false;
    const path = keyPath(context, model.name, keyField(key, first.leaf));
    const columns = columnsOf(context, path);
    if (columns.length === 0 || !columns.some((column) => own.has(column))) return false;
    if (columns.every((column) => own.has(column) || ofItem.has(column))) return true;
    const why = `"${path.model}.${path.name}" depends on ${model.name}.${time} and on other columns.`;
    const remedy = `Group by a time, or by a dimension that does not depend on it.`;
    return refuseMetric(
      "ambiguous_question",
      `${why} A measure over the last rows of each period has none here. ${remedy}`,
    );
  };
  return context.keys.filter(isPeriod).map(({ column }) => column);
}

/** Returns the columns of the path's first model that its field depends on: those of the join, or of the expression. */
function columnsOf(context: PlanContext, { steps, model, name }: FieldPath): readonly string[] {
  const [first] = steps;
  if (first) return columnsOfJoin(context, first);
  const expr = context.models.model(model).dimensions?.find((dimension) => dimension.name === name)?.expr;
  if (expr === undefined) return [name];
  return namesInExpression(context.models.parse(expr)).flatMap((path) => columnsOfName(context, model, path));
}

/** Returns the columns that a name refers to: `amount`, `orders.amount` in orders, or `calendar.year` behind a join. */
function columnsOfName(context: PlanContext, model: string, path: readonly string[]): readonly string[] {
  const [first = "", ...rest] = path.length > 1 && path[0] === model ? path.slice(1) : path;
  const [join] = rest.length > 0 ? takeJoins(context.models, model, [first]) : [];
  return join ? columnsOfJoin(context, join) : [first];
}

function columnsOfJoin(context: PlanContext, { condition, from }: JoinEdge): readonly string[] {
  if (condition.kind === "pairs") return condition.pairs.map(([local]) => local);
  const start = condition.isReversed ? "{to}" : "{from}";
  return namesInExpression(condition.expression).flatMap(([side, ...path]) =>
    side === start && path.length > 0 ? columnsOfName(context, from, path) : [],
  );
}
