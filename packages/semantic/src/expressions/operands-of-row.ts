import type { ParsedExpression } from "./expression.ts";
import { namesInExpression } from "./names-in-expression.ts";
import { isNullOfNothing } from "./null-of-nothing.ts";

/**
 * A condition that compares NULL if a join finds no row, as a condition on a dimension with the same expression does: what
 * `coalesce(fee, 0) < 5` compares is no fee of 0 then. `ownRow` names the column that is NULL then, or none if there is a row.
 */
export function operandsOfRow(parsed: ParsedExpression, ownRow: () => string | undefined): ParsedExpression {
  const ofRow = (operand: ParsedExpression) => onlyOfRow(operand, ownRow);
  switch (parsed.kind) {
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

function onlyOfRow(operand: ParsedExpression, ownRow: () => string | undefined): ParsedExpression {
  if (isNullOfNothing(operand) || namesInExpression(operand).length === 0) return operand;
  const column = ownRow();
  if (column === undefined) return operand;
  const found: ParsedExpression = { kind: "is_null", operand: { kind: "name", path: [column] }, isNegated: true };
  return { kind: "case", branches: [{ when: found, then: operand }], otherwise: undefined };
}
