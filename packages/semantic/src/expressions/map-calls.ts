import type { ParsedExpression } from "./expression.ts";

export type ParsedCall = Extract<ParsedExpression, { kind: "call" }>;

/** The expression with other parts in place of calls. Calls for which `replace` returns undefined stay, with theirs replaced. */
export function mapCalls(
  parsed: ParsedExpression,
  replace: (call: ParsedCall) => ParsedExpression | undefined,
): ParsedExpression {
  const map = (each: ParsedExpression) => mapCalls(each, replace);
  switch (parsed.kind) {
    case "name":
    case "literal":
      return parsed;
    case "binary":
      return { ...parsed, left: map(parsed.left), right: map(parsed.right) };
    case "in":
      return { ...parsed, operand: map(parsed.operand), values: parsed.values.map(map) };
    case "case":
      return {
        kind: "case",
        branches: parsed.branches.map(({ when, then }) => ({ when: map(when), then: map(then) })),
        otherwise: parsed.otherwise && map(parsed.otherwise),
      };
    case "call":
      return replace(parsed) ?? { ...parsed, args: parsed.args.map(map) };
    default:
      return { ...parsed, operand: map(parsed.operand) };
  }
}
