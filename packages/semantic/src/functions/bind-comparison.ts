/** Binds comparisons, and lists of IN. Strings are compared by their characters, times in one form, and UUIDs by their value. */
import type { BinaryOperator } from "../expressions/expression.ts";
import { allOf, anyOf, exactEquality, exactOrder, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression, SqlLiteral } from "../ir/sql-expression.ts";
import { isTimeType, mergeTypes } from "../ir/type-rules.ts";
import { alignTimes, inZone } from "../ir/wall-clock.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { compareTime } from "./compare-time.ts";

const mirrored: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
const orders: readonly BinaryOperator[] = ["<", "<=", ">", ">="];

export function bindComparison(
  operator: BinaryOperator,
  left: SqlExpression,
  right: SqlExpression,
  zone?: string,
): SqlExpression {
  if (isMoment(right) && isTimeType(left.type)) return compareTime(operator, inZone(zone, left), right.value);
  if (isMoment(left) && isTimeType(right.type))
    return compareTime(mirrored[operator] ?? operator, inZone(zone, right), left.value);
  const [first = left, second = right] = asSameType(alignTimes([left, right], zone));
  const isUuid = first.type === "uuid" || second.type === "uuid";
  if (isUuid && (isTextLiteral(first) || isTextLiteral(second))) return compareUuids(operator, first, second);
  mergeTypes([first, second], operator);
  if (isUuid) return compareUuids(operator, first, second);
  if (first.type !== "text" && second.type !== "text") return sqlBinary(operator, first, second);
  const exact = orders.includes(operator) ? exactOrder : exactEquality;
  return isTextLiteral(first) ? sqlBinary(operator, first, exact(second)) : sqlBinary(operator, exact(first), second);
}

/** Binds a list of IN. Ignores NULL in the list: it matches no row, and does not prevent other values from matching. */
export function bindMembers(
  operand: SqlExpression,
  values: readonly SqlExpression[],
  isNegated: boolean,
  zone?: string,
): SqlExpression {
  const present = values.filter((value) => !(value.kind === "literal" && value.value === null));
  if (present.length === 0) return ofEmptyList(operand, values.length > 0, isNegated);
  const equal = present.map((value) => bindComparison("=", operand, value, zone));
  const [first] = equal;
  const isPlain = first?.kind === "binary" && equal.every((each) => isListed(each, first));
  if (isPlain) {
    const members = equal.flatMap((each) => (each.kind === "binary" ? [each.right] : []));
    return { kind: "in", operand: first.left, values: members, isNegated, type: "boolean" };
  }
  if (!isNegated) return anyOf(equal);
  return allOf(equal.map((each) => ({ kind: "not", operand: each, type: "boolean" }) as const));
}

/** Binds a list without values, which matches nothing. If the list contains NULL, a NULL operand does not match NOT IN either. */
function ofEmptyList(operand: SqlExpression, hasNull: boolean, isNegated: boolean): SqlExpression {
  if (!isNegated) return sqlLiteral("false", "boolean");
  return hasNull ? { kind: "is_null", operand, isNegated: true, type: "boolean" } : sqlLiteral("true", "boolean");
}

/** Whether a node is an equality with the same left side, so that its right side can be in a list. */
function isListed(node: SqlExpression, first: SqlExpression): boolean {
  if (node.kind !== "binary" || first.kind !== "binary" || node.operator !== "=") return false;
  return JSON.stringify(node.left) === JSON.stringify(first.left);
}

/** Converts 0 and 1 to false and true if one of the values is a boolean. */
function asSameType(values: readonly SqlExpression[]): readonly SqlExpression[] {
  if (!values.some(({ type }) => type === "boolean")) return values;
  return values.map((value) => {
    const isBit = value.kind === "literal" && value.type === "integer" && (value.value === "0" || value.value === "1");
    return isBit ? sqlLiteral(value.value === "1" ? "true" : "false", "boolean") : value;
  });
}

const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Compares UUIDs as text, because engines order UUIDs in different ways. */
function compareUuids(operator: BinaryOperator, ...sides: readonly SqlExpression[]): SqlExpression {
  const [left, right] = sides.map((side) => (isTextLiteral(side) ? uuidLiteral(side.value) : side));
  if (!left || !right) return refuseMetric("invalid_expression", "A comparison has one side.");
  if (!orders.includes(operator)) return sqlBinary(operator, left, right);
  return sqlBinary(operator, exactOrder(left), exactOrder(right));
}

function uuidLiteral(text: string): SqlExpression {
  const value = text.toLowerCase();
  if (uuidForm.test(value)) return sqlLiteral(value, "text");
  const remedy = "Write one such as 123e4567-e89b-12d3-a456-426614174000.";
  return refuseMetric("invalid_value", `"${text}" is not a UUID, but is compared with one. ${remedy}`);
}

function isTextLiteral(node: SqlExpression): node is SqlLiteral & { readonly value: string } {
  return node.kind === "literal" && node.type === "text" && node.value !== null;
}

/** Whether a literal counts as a date or time when it is compared with one. */
function isMoment(node: SqlExpression): node is SqlLiteral & { readonly value: string } {
  return node.kind === "literal" && node.value !== null && ["text", "date", "timestamp"].includes(node.type);
}
