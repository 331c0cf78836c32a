/**
 * Finds LEFT JOINs that can be inner joins, because conditions drop the rows without a match. Engines can reorder inner joins freely, but
 * not outer joins.
 */
import type { JoinedRelation, SqlExpression } from "../ir/sql-expression.ts";

/** Makes joins inner if the conditions leave out rows without a match. */
export function innerWhereRequired(
  joins: readonly JoinedRelation[],
  where: readonly SqlExpression[],
): readonly JoinedRelation[] {
  const required = new Set(where.flatMap((condition) => [...aliasesRequired(condition)]));
  // An inner join also requires the rows of the relations that its condition compares. The last joins come first, because they refer to
  // earlier ones.
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

/** Returns the relations that must have a row for the condition to be true. */
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

/** Returns the relations without whose row the value is NULL. */
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
