import { callOf } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { isTimeType } from "../ir/type-rules.ts";
import type { PartOfTime } from "../models/model-schema.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { bindDimension, checkGrain, dimensionNamed } from "./bind-dimension.ts";
import { type FieldPath, resolveField } from "./field-path.ts";
import type { JoinTree } from "./join-tree.ts";
import type { Leaf } from "./leaf.ts";
import type { KeyRequest, PlanContext } from "./plan-context.ts";

/** Returns the field of a key for a measure. On a shared time axis, each measure has its own field. */
export function keyField(
  key: KeyRequest,
  { model, measure, times }: Pick<Leaf, "model" | "measure" | "times">,
): string {
  if (key.field !== undefined) return key.field;
  const field =
    times?.[key.column] ??
    key.time?.[`${model.name}.${measure.name}`] ??
    key.time?.[measure.name] ??
    key.time?.[model.name];
  if (field === undefined) {
    refuseMetric("invalid_query", `The axis "${key.alias}" has no date for ${model.name}.${measure.name}. Add one.`);
  }
  return field ?? "";
}

export function keyPath(context: PlanContext, root: string, field: string): FieldPath {
  return resolveField(context.models, root, field, context.via);
}

/** Determines the time of a row in the result. */
interface TimeMover {
  move(path: FieldPath, bound: SqlExpression): SqlExpression;
}

/** Returns the expression of a key over the rows of a join tree. */
export function bindKey(
  context: PlanContext,
  key: KeyRequest,
  path: FieldPath,
  tree: JoinTree,
  moved?: TimeMover | undefined,
): SqlExpression {
  const stored = bindDimension(context.models, tree, path, context.zone);
  const bound = moved && (key.grain ?? key.part) !== undefined ? moved.move(path, stored) : stored;
  const { grain, part } = key;
  if (part !== undefined) return partOf(bound, part, `${path.model}.${path.name}`);
  if (grain === undefined) return bound;
  const field = `${path.model}.${path.name}`;
  if (!isTimeType(bound.type)) {
    refuseMetric(
      "invalid_query",
      `"${field}" is not a time, so it has no ${grain}. Declare its type as time, or leave the grain out.`,
    );
  }
  checkGrain(field, dimensionNamed(context.models.model(path.model), path.name), grain);
  if (grain === "hour" && bound.type === "date")
    refuseMetric("invalid_query", `"${field}" is a date, and has no hour. Ask for day.`);
  return {
    kind: "truncate",
    operand: bound,
    grain,
    weekStart: context.weekStart,
    type: grain === "hour" ? "timestamp" : "date",
  };
}

function partOf(time: SqlExpression, part: PartOfTime, field: string): SqlExpression {
  if (!isTimeType(time.type) || (part === "hour" && time.type === "date"))
    refuseMetric("invalid_query", `"${field}" has no ${part}, because it is a ${time.type}. Leave the part out.`);
  return callOf(part, [time], { type: "integer" });
}
