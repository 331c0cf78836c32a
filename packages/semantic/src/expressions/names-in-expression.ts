import type { ParsedExpression } from "./expression.ts";

/** Returns the names in an expression, including repeated ones. */
export function namesInExpression(parsed: ParsedExpression): readonly (readonly string[])[] {
  switch (parsed.kind) {
    case "name":
      return [parsed.path];
    case "literal":
      return [];
    case "binary":
      return [...namesInExpression(parsed.left), ...namesInExpression(parsed.right)];
    case "in":
      return [parsed.operand, ...parsed.values].flatMap(namesInExpression);
    case "call":
      return parsed.args.flatMap(namesInExpression);
    case "case":
      return [
        ...parsed.branches.flatMap(({ when, then }) => [...namesInExpression(when), ...namesInExpression(then)]),
        ...(parsed.otherwise ? namesInExpression(parsed.otherwise) : []),
      ];
    default:
      return namesInExpression(parsed.operand);
  }
}
