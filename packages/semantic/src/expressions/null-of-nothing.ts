import type { ParsedExpression } from "./expression.ts";

/** Whether an expression is NULL if all of its columns are NULL. */
export function isNullOfNothing(parsed: ParsedExpression): boolean {
  switch (parsed.kind) {
    case "name":
      return true;
    case "unary":
    case "like":
    case "cast":
    case "in":
      return isNullOfNothing(parsed.operand);
    case "binary":
      return !parsed.operator.includes("distinct") && isNullOfBoth(parsed);
    case "call":
      return isNullOfArguments(parsed);
    default:
      return false;
  }
}

/** Whether an operation is NULL: for AND and OR if both sides are NULL, for other operators if one side is. */
function isNullOfBoth({ operator, left, right }: Extract<ParsedExpression, { kind: "binary" }>): boolean {
  const sides = [left, right].map(isNullOfNothing);
  return operator === "and" || operator === "or" ? sides.every(Boolean) : sides.some(Boolean);
}

/** Functions that return one of their arguments that is not NULL. */
const choosing: ReadonlySet<string> = new Set(["coalesce", "ifnull", "nvl", "greatest", "least"]);

function isNullOfArguments({ name, args }: Extract<ParsedExpression, { kind: "call" }>): boolean {
  if (choosing.has(name)) return args.every(isNullOfNothing);
  if (name === "if" || name === "iif") return false;
  return name === "nullif" ? args.slice(0, 1).every(isNullOfNothing) : args.some(isNullOfNothing);
}
