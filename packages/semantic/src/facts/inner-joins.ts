/** LEFT JOINs whose rows without a match no condition would keep. Engines order inner joins freely, and outer ones not. */
import type { JoinedRelation, SqlExpression } from "../ir/sql-expression.ts";

/** The joins as inner ones where the conditions that all hold leave rows without a match out. */
export function innerWhereRequired(
  joins: readonly JoinedRelation[],
  where: readonly SqlExpression[],
): readonly JoinedRelation[] {
  const required = new Set(where.flatMap((condition) => [...aliasesRequired(condition)]));
  // What an inner join compares is there, too: the last joins come first, because they name those before.
  return joins
    .toReversed()
    .map((join): JoinedRelation => {
      if (join.join !== "left" || !required.has(join.alias)) return join;
      if (join.on) for (const alias of aliasesRequired(join.on)) required.add(alias);
      return { ...join, join: "inner" };
    })
    .toReversed();
}

const none: ReadonlySet<string> = new Set();
const comparisons: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** The relations that must have a row for the condition to hold. */
function aliasesRequired(node: SqlExpression): ReadonlySet<string> {
  switch (node.kind) {
    case "binary": {
      const sides = [node.left, node.right].map(
        node.operator === "and" || node.operator === "or" ? aliasesRequired : aliasesOfNull,
      );
      const [left = none, right = none] = sides;
      if (node.operator === "and" || comparisons.has(node.operator)) return new Set([...left, ...right]);
      return node.operator === "or" ? new Set([...left].filter((alias) => right.has(alias))) : none;
    }
    case "in":
    case "like":
      return aliasesOfNull(node.operand);
    case "is_null":
      return node.isNegated ? aliasesOfNull(node.operand) : none;
    case "column":
      return aliasesOfNull(node);
    default:
      return none;
  }
}

const strictCalls: ReadonlySet<string> = new Set(["text_order", "text_identity", "abs", "length", "lower", "upper"]);

/** The relations without whose row the value is NULL. */
function aliasesOfNull(node: SqlExpression): ReadonlySet<string> {
  switch (node.kind) {
    case "column":
      return new Set([node.source]);
    case "negate":
    case "cast":
    case "truncate":
    case "shift":
    case "local_time":
      return aliasesOfNull(node.operand);
    case "binary":
      return ["+", "-", "*"].includes(node.operator)
        ? new Set([...aliasesOfNull(node.left), ...aliasesOfNull(node.right)])
        : none;
    case "call":
      return strictCalls.has(node.name) ? new Set(node.args.flatMap((arg) => [...aliasesOfNull(arg)])) : none;
    default:
      return none;
  }
}
