/** Handles aggregates that are written in a metric's expression, such as `sum(orders.amount)`. */
import type { ParsedExpression } from "../expressions/expression.ts";
import { namesInExpression } from "../expressions/names-in-expression.ts";
import type { MeasureAggregation, SemanticModel } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { Leaf } from "./leaf.ts";

const aggregates: readonly MeasureAggregation[] = ["count", "count_distinct", "sum", "avg", "min", "max", "median"];

export type ParsedCall = Extract<ParsedExpression, { kind: "call" }>;

/** Returns the measure for a call; undefined if the call is not an aggregate. Names without a model belong to `home`. */
export function inlineAggregate(
  models: ModelSet,
  home: SemanticModel,
  call: ParsedCall,
): Pick<Leaf, "model" | "measure" | "operand"> | undefined {
  const name = aggregates.find((each) => each === call.name);
  if (name === undefined) return undefined;
  const [operand, other] = call.args;
  if (other || (!operand && name !== "count")) refuse(`${call.name} needs one argument`);
  if (call.isDistinct && name !== "count") refuse(`DISTINCT has no meaning in ${call.name}`);
  const agg = call.isDistinct ? "count_distinct" : name;
  return { model: ownerOf(models, home, operand), measure: { name: `${agg}(…)`, agg }, operand };
}

/** Returns the model that provides the aggregated rows: `orders` in `orders.amount`, even if another model has a join of that name. */
function ownerOf(models: ModelSet, home: SemanticModel, operand: ParsedExpression | undefined): SemanticModel {
  const names = operand ? namesInExpression(operand) : [];
  if (operand && names.length === 0) refuse("An aggregate names no column");
  const owners = new Set(
    names.map(([first = "", ...rest]) => (rest.length > 0 ? models.models.get(first) : undefined) ?? home),
  );
  const [owner = home, other] = owners;
  if (other) refuse(`An aggregate names rows of ${owner.name} and ${other.name}`);
  return owner;
}

function refuse(why: string): never {
  return refuseMetric("invalid_expression", `${why}. Correct the expression of the metric.`);
}
