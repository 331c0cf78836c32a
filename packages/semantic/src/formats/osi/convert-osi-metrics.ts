/** Metrics of OSI are expressions with aggregations. Each aggregation becomes a measure, and the rest a derived metric. */
import type { ParsedExpression } from "../../expressions/expression.ts";
import { mapExpression } from "../../expressions/map-expression.ts";
import { namesInExpression } from "../../expressions/names-in-expression.ts";
import { parseExpression } from "../../expressions/parse-expression.ts";
import { printExpression } from "../../expressions/print-expression.ts";
import type { ModelMeasure, ModelMetric } from "../../models/model-schema.ts";
import { MetricRefusalError } from "../../refusals/metric-refusal.ts";
import { refuseImport } from "../import-report.ts";

type Call = Extract<ParsedExpression, { kind: "call" }>;

/** The parsed expressions of fields, by dataset and name. */
export type OsiFields = ReadonlyMap<string, ReadonlyMap<string, ParsedExpression>>;

export interface OsiMeasures {
  readonly model: string;
  readonly measures: readonly { readonly model: string; readonly measure: ModelMeasure }[];
  readonly metric: ModelMetric | undefined;
}

const aggregations = { sum: "sum", count: "count", avg: "avg", min: "min", max: "max", median: "median" } as const;

/** `home` is the dataset of a metric that is within one. Throws an ImportRefusalError. */
export function convertOsiMetric(
  { name, words, text }: { readonly name: string; readonly words: object; readonly text: string },
  fields: OsiFields,
  home: string | undefined,
): OsiMeasures {
  const parsed = parseOrRefuse(text);
  const measures: { model: string; measure: ModelMeasure }[] = [];
  const isOne = isAggregation(parsed);
  const rest = mapExpression(parsed, (part) => {
    if (!isAggregation(part)) return undefined;
    const model = datasetOf(part, fields, home);
    const own = isOne ? name : `${name}__${measures.length + 1}`;
    const measure = { name: own, ...measureOf(part, model, fields), ...(isOne && words) };
    measures.push({ model, measure });
    return { kind: "name", path: [model, own] };
  });
  const [first] = measures;
  if (!first) return refuseImport("It has no aggregation. Write one, such as SUM.");
  checkRest(
    rest,
    measures.map(({ model, measure }) => `${model}.${measure.name}`),
  );
  const metric: ModelMetric | undefined = isOne
    ? undefined
    : { type: "derived", name, expr: printExpression(rest), ...words };
  return { model: first.model, measures, metric };
}

/** An expression in the language of models. Throws an ImportRefusalError. */
export function parseOrRefuse(text: string): ParsedExpression {
  try {
    return parseExpression(text);
  } catch (error) {
    if (!(error instanceof MetricRefusalError)) throw error;
    return refuseImport(error.message);
  }
}

function isAggregation(part: ParsedExpression): part is Call {
  return part.kind === "call" && Object.hasOwn(aggregations, part.name);
}

function datasetOf(call: Call, fields: OsiFields, home: string | undefined): string {
  const named = namesInExpression(call).map((path) => (path.length > 1 ? path[0] : home));
  const [first = home, ...others] = [...new Set(named)];
  if (first === undefined || !fields.has(first))
    return refuseImport("A field without its dataset has no meaning here. Write dataset.field.");
  if (others.length > 0) refuseImport("An aggregation over fields of several datasets is not supported. Join before.");
  if (home !== undefined && first !== home) refuseImport(`It is a metric of ${home}, and names ${first}.`);
  return first;
}

function measureOf(call: Call, model: string, fields: OsiFields): Pick<ModelMeasure, "agg" | "expr"> {
  const [arg, ...more] = call.args;
  if (more.length > 0) refuseImport(`${call.name} has more than one argument. Write an expression.`);
  if (!arg) return call.name === "count" ? { agg: "count" } : refuseImport(`${call.name} has no argument. Add one.`);
  if (call.isDistinct && call.name !== "count") refuseImport(`${call.name} of distinct values is not supported.`);
  const expr = printExpression(mapExpression(arg, (part) => columnsOf(part, model, fields)));
  const agg = Object.entries(aggregations).find(([name]) => name === call.name)?.[1] ?? "count";
  return { agg: call.isDistinct ? "count_distinct" : agg, expr };
}

/** A qualified name is a declared field; a name alone is a column. */
function columnsOf(part: ParsedExpression, model: string, fields: OsiFields): ParsedExpression | undefined {
  if (isAggregation(part)) return refuseImport("An aggregation within another one is not supported.");
  if (part.kind !== "name" || part.path.length < 2) return undefined;
  const found = fields.get(model)?.get(part.path.slice(1).join("."));
  return found ?? refuseImport(`${part.path.join(".")} is no declared field. Declare it, or write the column alone.`);
}

function checkRest(rest: ParsedExpression, measures: readonly string[]): void {
  const outside = namesInExpression(rest).find((path) => !measures.includes(path.join(".")));
  if (outside) refuseImport(`${outside.join(".")} is outside of an aggregation. Aggregate it.`);
}
