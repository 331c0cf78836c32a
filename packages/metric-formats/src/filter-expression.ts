/** Converts models' filters to expressions. */
import {
  type BinaryOperator,
  type FilterCondition,
  type FilterValue,
  type MetricFilter,
  type ParsedExpression,
  parseExpression,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import { refuseExport } from "./export-report.ts";

/** Combines all filters; undefined if there are none. Throws an ExportRefusalError. */
export function filterExpression(filters: readonly MetricFilter[], model: SemanticModel): ParsedExpression | undefined {
  return joined(
    "and",
    filters.map((filter) => oneFilter(filter, model)),
  );
}

function oneFilter(filter: MetricFilter, model: SemanticModel): ParsedExpression {
  if (typeof filter === "string") return parseExpression(filter);
  if ("field" in filter) return conditionExpression(filter);
  if ("segment" in filter) return segmentExpression(filter.segment, model);
  const [operator, list] = "or" in filter ? (["or", filter.or] as const) : (["and", filter.and] as const);
  return (
    joined(
      operator,
      list.map((each) => oneFilter(each, model)),
    ) ?? refuseExport("A filter is empty. Remove it.")
  );
}

function joined(operator: "and" | "or", parts: readonly ParsedExpression[]): ParsedExpression | undefined {
  const [first, ...others] = parts;
  return first && others.reduce((left, right) => ({ kind: "binary", operator, left, right }), first);
}

function segmentExpression(name: string, model: SemanticModel): ParsedExpression {
  const own = name.startsWith(`${model.name}.`) ? name.slice(model.name.length + 1) : name;
  const found = model.segments?.find((each) => each.name === own);
  if (!found) return refuseExport(`The segment ${name} is of another model. Write its condition.`);
  return oneFilter(found.filter, { ...model, segments: model.segments?.filter((each) => each !== found) ?? [] });
}

const comparisons: Readonly<Partial<Record<FilterCondition["op"], BinaryOperator>>> = {
  "=": "=",
  "!=": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

function conditionExpression({ field, op, value = null }: FilterCondition): ParsedExpression {
  const operand: ParsedExpression = { kind: "name", path: field.split(".") };
  const values = Array.isArray(value) ? value : [value];
  if (op === "is null" || op === "is not null") return { kind: "is_null", operand, isNegated: op === "is not null" };
  if (values.includes(null)) refuseExport("A filter compares with null. Use is null.");
  if (op === "in" || op === "not in")
    return { kind: "in", operand, values: values.map(literal), isNegated: op === "not in" };
  const [first = null] = values;
  if (op === "contains") return { kind: "call", name: "contains", args: [operand, literal(first)], isDistinct: false };
  const operator = comparisons[op];
  if (operator === undefined || values.length > 1) return refuseExport(`The condition on ${field} has no counterpart.`);
  return { kind: "binary", operator, left: operand, right: literal(first) };
}

function literal(value: FilterValue): ParsedExpression {
  if (typeof value === "string") {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
    if (/[\\\u0000-\u001f\u007f]/.test(value))
      refuseExport("A filter has a backslash or a control character, which engines read differently.");
    return { kind: "literal", type: "text", value };
  }
  if (typeof value === "boolean") return { kind: "literal", type: "boolean", value: String(value) };
  const text = String(value);
  if (text.startsWith("-"))
    return { kind: "unary", operator: "-", operand: literal(typeof value === "bigint" ? -value : -Number(value)) };
  return { kind: "literal", type: /^\d+$/.test(text) ? "integer" : "decimal", value: text };
}
