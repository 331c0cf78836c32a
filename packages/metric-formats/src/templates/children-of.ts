import type { ParsedExpression } from "@bridle/semantic/model-parts";

/** Returns the direct parts of an expression. */
export function childrenOf(parsed: ParsedExpression): readonly ParsedExpression[] {
  switch (parsed.kind) {
    case "name":
    case "literal":
      return [];
    case "binary":
      return [parsed.left, parsed.right];
    case "in":
      return [parsed.operand, ...parsed.values];
    case "call":
      return parsed.args;
    case "case":
      return [
        ...parsed.branches.flatMap(({ when, then }) => [when, then]),
        ...(parsed.otherwise ? [parsed.otherwise] : []),
      ];
    default:
      return [parsed.operand];
  }
}
