/** Writes the conditions in Looker's filter expressions as models' expressions. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";

export const textValue = (value: string): ParsedExpression => ({ kind: "literal", type: "text", value });

export function numberValue(value: string): ParsedExpression {
  const digits = value.replace(/^-/, "");
  const literal: ParsedExpression = {
    kind: "literal",
    type: digits.includes(".") ? "decimal" : "integer",
    value: digits,
  };
  return value.startsWith("-") ? { kind: "unary", operator: "-", operand: literal } : literal;
}

export function binaryOf(
  operator: Extract<ParsedExpression, { kind: "binary" }>["operator"],
  left: ParsedExpression,
  right: ParsedExpression,
): ParsedExpression {
  return { kind: "binary", operator, left, right };
}

export function nullTest(operand: ParsedExpression, isNegated = false): ParsedExpression {
  return { kind: "is_null", operand, isNegated };
}

export function chainOf(operator: "and" | "or", parts: readonly ParsedExpression[]): ParsedExpression | undefined {
  return parts.reduce<ParsedExpression | undefined>(
    (chain, part) => (chain ? binaryOf(operator, chain, part) : part),
    undefined,
  );
}

/**
 * Combines parts of a filter: rows match one of the included parts and none of the excluded values. Returns undefined if the filter keeps
 * every row.
 */
export function combineParts(
  included: readonly ParsedExpression[],
  excluded: readonly ParsedExpression[],
): ParsedExpression | undefined {
  const either = chainOf("or", included);
  return chainOf("and", [...(either ? [either] : []), ...excluded]);
}
