import type { ParsedExpression } from "./expression.ts";

/**
 * Replaces parts of an expression. If `replace` returns undefined for a part, keeps the part, and calls `replace` for the parts within it.
 */
export function mapExpression(
  parsed: ParsedExpression,
  replace: (part: ParsedExpression) => ParsedExpression | undefined,
): ParsedExpression {
  const replaced = replace(parsed);
  if (replaced) return replaced;
  const map = (part: ParsedExpression) => mapExpression(part, replace);
  switch (parsed.kind) {
    case "name":
    case "literal":
      return parsed;
    case "binary":
      return { ...parsed, left: map(parsed.left), right: map(parsed.right) };
    case "in":
      return { ...parsed, operand: map(parsed.operand), values: parsed.values.map(map) };
    case "call":
      return { ...parsed, args: parsed.args.map(map) };
    case "case":
      return {
        ...parsed,
        branches: parsed.branches.map(({ when, then }) => ({ when: map(when), then: map(then) })),
        otherwise: parsed.otherwise && map(parsed.otherwise),
      };
    default:
      return { ...parsed, operand: map(parsed.operand) };
  }
}
