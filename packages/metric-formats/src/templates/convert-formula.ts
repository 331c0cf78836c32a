/** Converts expressions over measures. Each aggregation becomes a measure, and the whole expression a derived metric over these. */
import {
  type ModelMeasure,
  type ModelMetric,
  mapExpression,
  namesInExpression,
  type ParsedExpression,
  printExpression,
} from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";

type Call = Extract<ParsedExpression, { kind: "call" }>;

export interface Formula {
  readonly measures: readonly ModelMeasure[];
  /** The derived metric; undefined if the expression is a single aggregation. */
  readonly metric: ModelMetric | undefined;
}

export interface FormulaSource {
  readonly name: string;
  readonly words: { readonly description?: string; readonly label?: string };
  readonly parsed: ParsedExpression;
  /** Resolves an aggregated expression to columns. */
  columns(parsed: ParsedExpression): ParsedExpression;
  /** Returns the measure that a name refers to. Throws an ImportRefusalError if the name is not a measure. */
  measure(path: readonly string[]): ParsedExpression;
}

const aggregations = { sum: "sum", count: "count", avg: "avg", min: "min", max: "max", median: "median" } as const;

export function convertFormula({ name, words, parsed, columns, measure }: FormulaSource): Formula {
  const measures: ModelMeasure[] = [];
  const isOne = isAggregation(parsed);
  const rest = mapExpression(parsed, (part) => {
    if (part.kind === "name") return measure(part.path);
    if (!isAggregation(part)) return undefined;
    const own = isOne ? name : `${name}__${measures.length + 1}`;
    measures.push({ name: own, ...aggregate(part, columns), ...(isOne && words) });
    return { kind: "name", path: [own] };
  });
  if (isOne) return { measures, metric: undefined };
  if (namesInExpression(rest).length === 0) refuseImport("It names no measure and has no aggregation. Add one.");
  return { measures, metric: { type: "derived", name, expr: printExpression(rest), ...words } };
}

function isAggregation(part: ParsedExpression): part is Call {
  return part.kind === "call" && Object.hasOwn(aggregations, part.name);
}

function aggregate(call: Call, columns: FormulaSource["columns"]): Pick<ModelMeasure, "agg" | "expr"> {
  const [arg, ...more] = call.args;
  if (more.length > 0) refuseImport(`${call.name} has more than one argument. Write an expression.`);
  if (!arg) return call.name === "count" ? { agg: "count" } : refuseImport(`${call.name} has no argument. Add one.`);
  if (call.isDistinct && call.name !== "count") refuseImport(`${call.name} of distinct values is not supported.`);
  if (containsAggregation(arg)) refuseImport("An aggregation within another one is not supported.");
  const agg = Object.entries(aggregations).find(([each]) => each === call.name)?.[1] ?? "count";
  const isRows = agg === "count" && !call.isDistinct && arg.kind === "literal" && arg.type !== "null";
  if (isRows) return { agg: "count" };
  return { agg: call.isDistinct ? "count_distinct" : agg, expr: printExpression(columns(arg)) };
}

function containsAggregation(parsed: ParsedExpression): boolean {
  let found = false;
  mapExpression(parsed, (part) => {
    found ||= isAggregation(part);
    return undefined;
  });
  return found;
}
