import {
  type ModelMeasure,
  mapExpression,
  namesInExpression,
  type ParsedExpression,
  printExpression,
} from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import type { ImportedDataset } from "./imported-dataset.ts";
import { aggregationOf } from "./osi-expressions.ts";

type Formula = Pick<ModelMeasure, "agg" | "expr" | "filters">;

/** Reads the aggregation of a call over the rows of a dataset. Throws an ImportRefusalError. */
export function readOsiMeasure(
  { call, name }: NonNullable<ReturnType<typeof aggregationOf>>,
  dataset: ImportedDataset,
): Formula {
  const [given, ...more] = call.args;
  if (more.length > 0) refuseImport(`${name} has more than one argument. Write an expression.`);
  if (call.isDistinct && name !== "count") refuseImport(`${name} of distinct values is not supported.`);
  if (!given) return name === "count" ? { agg: "count" } : refuseImport(`${name} has no argument. Add one.`);
  mapExpression(given, (part) => {
    if (aggregationOf(part)) refuseImport("An aggregation within another one is not supported.");
    return undefined;
  });
  const { arg, filters } = splitCondition(dataset.inline(given), dataset);
  const isAny = name === "count" && !call.isDistinct && arg.kind === "literal" && arg.type !== "null";
  const agg = call.isDistinct ? ("count_distinct" as const) : name;
  return { agg, ...(!isAny && { expr: printExpression(arg) }), ...(filters.length > 0 && { filters }) };
}

/** Splits `case when paid then amount end` into the amount and the condition on the rows. */
function splitCondition(arg: ParsedExpression, dataset: ImportedDataset) {
  const [branch, ...others] = arg.kind === "case" ? arg.branches : [];
  const isNull = arg.kind === "case" && (arg.otherwise === undefined || isNullLiteral(arg.otherwise));
  if (!branch || others.length > 0 || !isNull || !canFilter(branch.when, dataset)) return { arg, filters: [] };
  return { arg: branch.then, filters: conditions(branch.when).map((each) => printExpression(each)) };
}

/**
 * Whether a condition can be a filter. In filters, a name refers to a dimension first, so a dimension of that name must be exactly the
 * column.
 */
function canFilter(when: ParsedExpression, { fields }: ImportedDataset): boolean {
  return namesInExpression(when).every((path) => {
    const [name = ""] = path;
    const field = fields.get(name);
    return path.length === 1 && (field === undefined || (field.kind === "name" && field.path.join(".") === name));
  });
}

function conditions(when: ParsedExpression): readonly ParsedExpression[] {
  return when.kind === "binary" && when.operator === "and"
    ? [...conditions(when.left), ...conditions(when.right)]
    : [when];
}

function isNullLiteral(part: ParsedExpression): boolean {
  return part.kind === "literal" && part.type === "null";
}
