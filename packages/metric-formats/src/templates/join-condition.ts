import { type ModelJoin, type ParsedExpression, printExpression } from "@bridle/semantic/model-parts";

/** Converts a join's condition over {from} and {to}. If it consists only of equal columns, the result is pairs of columns. */
export function joinCondition(condition: ParsedExpression): ModelJoin["on"] {
  const pairs = conjuncts(condition).map(pairOf);
  const complete = pairs.flatMap((pair) => (pair ? [pair] : []));
  return complete.length === pairs.length ? complete : printExpression(condition);
}

function conjuncts(parsed: ParsedExpression): readonly ParsedExpression[] {
  if (parsed.kind !== "binary" || parsed.operator !== "and") return [parsed];
  return [...conjuncts(parsed.left), ...conjuncts(parsed.right)];
}

function pairOf(parsed: ParsedExpression): [string, string] | undefined {
  if (parsed.kind !== "binary" || parsed.operator !== "=") return undefined;
  const { left, right } = parsed;
  if (left.kind !== "name" || right.kind !== "name") return undefined;
  const [from, to] = left.path[0] === "{from}" ? [left.path, right.path] : [right.path, left.path];
  const isPair = from[0] === "{from}" && to[0] === "{to}" && from.length === 2 && to.length === 2;
  return isPair ? [from[1] ?? "", to[1] ?? ""] : undefined;
}
