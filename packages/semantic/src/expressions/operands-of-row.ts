import type { ParsedExpression } from "./expression.ts";
import { namesInExpression } from "./names-in-expression.ts";
import { isNullOfNothing } from "./null-of-nothing.ts";

type RowOf = (operand: ParsedExpression) => readonly string[] | undefined;

/**
 * Changes a condition so that, if a join finds no row, the condition compares NULL, as it would for a dimension with the same expression.
 * Without a row, `coalesce(fee, 0) < 5` must not match as if the fee were 0. `rowOf` returns a path that is NULL if there is no row, or
 * undefined if an operand needs no row.
 */
export function operandsOfRow(parsed: ParsedExpression, rowOf: RowOf): ParsedExpression {
  const ofRow = (operand: ParsedExpression) => onlyOfRow(operand, rowOf);
  switch (parsed.kind) {
    case "unary":
      return parsed.operator === "not" ? { ...parsed, operand: operandsOfRow(parsed.operand, rowOf) } : ofRow(parsed);
    case "binary":
      return { ...parsed, left: ofRow(parsed.left), right: ofRow(parsed.right) };
    case "is_null":
    case "in":
    case "like":
      return { ...parsed, operand: ofRow(parsed.operand) };
    default:
      return ofRow(parsed);
  }
}

function onlyOfRow(operand: ParsedExpression, rowOf: RowOf): ParsedExpression {
  if (isNullOfNothing(operand) || namesInExpression(operand).length === 0) return operand;
  const path = rowOf(operand);
  if (path === undefined) return operand;
  const found: ParsedExpression = { kind: "is_null", operand: { kind: "name", path }, isNegated: true };
  return { kind: "case", branches: [{ when: found, then: operand }], otherwise: undefined };
}
