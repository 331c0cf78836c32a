/** Binds a query's condition on a field that is already bound, such as `{ field, op: "in", value: [...] }`. */

import { bindComparison, bindMembers } from "../functions/bind-comparison.ts";
import { callOf, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { isNumeric, requireType } from "../ir/type-rules.ts";
import type { FilterCondition, FilterValue } from "../models/model-schema.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

/** Binds a condition. With a zone, the bounds of times are in the zone's local time. */
export function bindCondition(condition: FilterCondition, operand: SqlExpression, zone?: string): SqlExpression {
  const { op, field, value } = condition;
  if (op === "is null" || op === "is not null") {
    if (value !== undefined)
      refuseMetric("invalid_value", `The filter on "${field}" with ${op} has a value. Remove it.`);
    return { kind: "is_null", operand, isNegated: op === "is not null", type: "boolean" };
  }
  if (value === undefined) return refuseMetric("invalid_value", `The filter on "${field}" has no value. Add one.`);
  if (op === "in" || op === "not in") {
    const list = Array.isArray(value) ? value : [value];
    const literals = list.map((each) =>
      each === null ? sqlLiteral(null, "unknown") : toLiteral(operand, each, field),
    );
    return bindMembers(operand, literals, op === "not in", zone);
  }
  if (Array.isArray(value))
    return refuseMetric("invalid_value", `The filter on "${field}" has a list. Use in or not in.`);
  if (value === null)
    return refuseMetric("invalid_value", `The filter on "${field}" compares with null. Use is null or is not null.`);
  if (op === "contains") {
    requireType(operand, ["text"], "contains");
    if (typeof value !== "string")
      return refuseMetric("invalid_value", `The filter on "${field}" needs a text. Quote it.`);
    return callOf("contains", [operand, sqlLiteral(checkText(value, field), "text")], { type: "boolean" });
  }
  return bindComparison(op === "!=" ? "<>" : op, operand, toLiteral(operand, value, field), zone);
}

function toLiteral({ type }: SqlExpression, value: Exclude<FilterValue, null>, field: string): SqlExpression {
  if (typeof value === "boolean") {
    if (type !== "boolean" && type !== "unknown") mismatch(field, type, String(value));
    return sqlLiteral(String(value), "boolean");
  }
  if (typeof value === "string") return textLiteral(type, value, field);
  const isBit = type === "boolean" && (Number(value) === 0 || Number(value) === 1);
  if (type !== "unknown" && !isNumeric(type) && !isBit) mismatch(field, type, String(value));
  return numberLiteral(value, field);
}

function textLiteral(type: SqlExpression["type"], value: string, field: string): SqlExpression {
  if (isNumeric(type)) {
    if (!/^-?\d+(\.\d+)?$/.test(value)) mismatch(field, type, JSON.stringify(value));
    return exactLiteral(value);
  }
  if (type === "boolean") mismatch(field, type, JSON.stringify(value));
  return sqlLiteral(checkText(value, field), "text");
}

function numberLiteral(value: number | bigint, field: string): SqlExpression {
  if (typeof value === "bigint") return sqlLiteral(String(value), "integer");
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    refuseMetric(
      "invalid_value",
      `The number ${value} of the filter on "${field}" is not exact. Write its digits as a text.`,
    );
  }
  const text = String(value);
  return text.includes("e") ? sqlLiteral(text, "double") : exactLiteral(text);
}

function exactLiteral(text: string): SqlExpression {
  const digits = text.split(".")[1];
  return digits === undefined ? sqlLiteral(text, "integer") : sqlLiteral(text, "decimal", digits.length);
}

function checkText(value: string, field: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
  if (!/[\u0000\\]/.test(value)) return value;
  return refuseMetric(
    "invalid_value",
    `The value of the filter on "${field}" contains a backslash or NUL, which engines read differently. Use other characters.`,
  );
}

function mismatch(field: string, type: string, value: string): never {
  return refuseMetric(
    "invalid_value",
    `"${field}" is a ${type}, and is compared with ${value}. Write a value of its type.`,
  );
}
