import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { childrenOf } from "./children-of.ts";

/** The note about a division whose operands may be integers. */
export const fractionNote =
  "It divides. Engines that divide integers as integers drop the fraction; here it stays, as with a decimal operand.";

/** Whether some engines would drop the fraction of a division in the expression, because neither operand is certain to be a decimal. */
export function mayDropFraction(parsed: ParsedExpression): boolean {
  if (parsed.kind === "binary" && parsed.operator === "/" && ![parsed.left, parsed.right].some(isDecimal)) return true;
  return childrenOf(parsed).some(mayDropFraction);
}

function isDecimal(parsed: ParsedExpression): boolean {
  switch (parsed.kind) {
    case "literal":
      return parsed.type === "decimal";
    case "cast":
      return parsed.to === "double";
    case "unary":
      return isDecimal(parsed.operand);
    case "binary":
      return isDecimal(parsed.left) || isDecimal(parsed.right);
    case "call":
      return ["coalesce", "nullif", "abs"].includes(parsed.name) ? parsed.args.some(isDecimal) : parsed.name === "avg";
    default:
      return false;
  }
}
