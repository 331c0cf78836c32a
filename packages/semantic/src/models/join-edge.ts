import type { ParsedExpression } from "../expressions/expression.ts";

/** A join in the direction in which a path follows it. */
export interface JoinEdge {
  /** The name of the join, or if a declared join is followed backwards, the name of the model that it reaches. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly isToMany: boolean;
  readonly cardinality: "many_to_one" | "one_to_one" | "to_many";
  /** False for a declared join that is followed backwards. */
  readonly isDeclared: boolean;
  /** The declared join as `model.join`, even if it is followed backwards. */
  readonly declaredAs: string;
  readonly condition: JoinCondition;
}

export type JoinCondition =
  /** Columns of `from` and of `to` that are equal. */
  | { readonly kind: "pairs"; readonly pairs: readonly (readonly [string, string])[] }
  /** `isReversed`: {from} in the condition refers to the edge's `to`. */
  | { readonly kind: "expression"; readonly expression: ParsedExpression; readonly isReversed: boolean };

/** Returns a key for the steps of a path. Equal paths have equal keys. */
export function pathKey(steps: readonly JoinEdge[]): string {
  return steps.map(({ from, name, to }) => `${from}.${name}>${to}`).join(" ");
}
