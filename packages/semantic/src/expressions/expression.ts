/** A parsed expression of a model or a query. Its names are not resolved yet. */
export type ParsedExpression =
  | { readonly kind: "name"; readonly path: readonly string[] }
  | { readonly kind: "literal"; readonly type: LiteralType; readonly value: string }
  | { readonly kind: "unary"; readonly operator: "not" | "-"; readonly operand: ParsedExpression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: ParsedExpression;
      readonly right: ParsedExpression;
    }
  | { readonly kind: "is_null"; readonly operand: ParsedExpression; readonly isNegated: boolean }
  | {
      readonly kind: "in";
      readonly operand: ParsedExpression;
      readonly values: readonly ParsedExpression[];
      readonly isNegated: boolean;
    }
  | {
      readonly kind: "like";
      readonly operand: ParsedExpression;
      readonly pattern: string;
      readonly isNegated: boolean;
      /** Whether letter case is ignored, as in ILIKE. */
      readonly isCaseless?: boolean;
    }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: ParsedExpression; readonly then: ParsedExpression }[];
      readonly otherwise: ParsedExpression | undefined;
    }
  | {
      readonly kind: "cast";
      readonly operand: ParsedExpression;
      readonly to: CastType;
      /** The number of a decimal's digits, and how many of them are decimal places. */
      readonly digits?: readonly [number, number];
    }
  | {
      readonly kind: "call";
      /** The function's name, in lower case. */
      readonly name: string;
      readonly args: readonly ParsedExpression[];
      readonly isDistinct: boolean;
    };

type LiteralType = "text" | "integer" | "decimal" | "boolean" | "null" | "date" | "timestamp";

const comparisons = ["=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from"] as const;
type Comparison = (typeof comparisons)[number];
export type BinaryOperator = Comparison | "and" | "or" | "+" | "-" | "*" | "/" | "%" | "||";

export const castTypes = ["integer", "double", "text", "date", "timestamp", "decimal"] as const;
export type CastType = (typeof castTypes)[number];
