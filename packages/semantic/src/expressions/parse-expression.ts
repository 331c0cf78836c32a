/**
 * Parses expressions of models and queries: a part of SQL that every engine understands alike. Subqueries, comments, parameters and
 * functions that `functions.ts` does not list are not part of it.
 */
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { BinaryOperator, ParsedExpression } from "./expression.ts";
import { readOperand } from "./operand-reader.ts";
import { ExpressionCursor } from "./token-cursor.ts";

/** Throws a MetricRefusalError if the text is not an expression. */
export function parseExpression(source: string): ParsedExpression {
  if (source.length > 10_000)
    refuseMetric("invalid_expression", "An expression is longer than 10,000 characters. Shorten it.");
  const cursor = new ExpressionCursor(source);
  const parsed = new ExpressionReader(cursor).read();
  if (cursor.current.kind !== "end") cursor.fail("ends the expression");
  return parsed;
}

/** Maximum nesting of parentheses and operators. Deeper nesting would exhaust the stack. */
const maxDepth = 100;

class ExpressionReader {
  readonly #cursor: ExpressionCursor;
  #depth = 0;

  constructor(cursor: ExpressionCursor) {
    this.#cursor = cursor;
  }

  read(): ParsedExpression {
    this.#depth += 1;
    if (this.#depth > maxDepth) this.#cursor.fail("is too deep");
    let left = this.#readAnd();
    while (this.#cursor.take("or")) left = binary("or", left, this.#readAnd());
    this.#depth -= 1;
    return left;
  }

  #readAnd(): ParsedExpression {
    let left = this.#readNot();
    while (this.#cursor.take("and")) left = binary("and", left, this.#readNot());
    return left;
  }

  #readNot(): ParsedExpression {
    let count = 0;
    while (this.#cursor.take("not")) count += 1;
    const operand = this.#readComparison();
    return count === 0 ? operand : negations(operand, count);
  }

  #readComparison(): ParsedExpression {
    const left = this.#readSum();
    const cursor = this.#cursor;
    if (cursor.take("is")) return this.#readIs(left);
    const isNegated = cursor.take("not");
    if (cursor.take("in")) return { kind: "in", operand: left, values: this.#readList(), isNegated };
    if (cursor.take("between")) return this.#readBetween(left, isNegated);
    if (cursor.take("like")) return this.#readLike(left, isNegated, false);
    if (cursor.take("ilike")) return this.#readLike(left, isNegated, true);
    if (isNegated) cursor.fail("expects IN, BETWEEN, LIKE or ILIKE");
    for (const operator of ["<>", "<=", ">=", "=", "<", ">"] as const) {
      if (cursor.take(operator)) return binary(operator, left, this.#readSum());
    }
    return cursor.take("!=") ? binary("<>", left, this.#readSum()) : left;
  }

  #readIs(left: ParsedExpression): ParsedExpression {
    const isNegated = this.#cursor.take("not");
    if (this.#cursor.take("null")) return { kind: "is_null", operand: left, isNegated };
    if (this.#cursor.take("distinct", "from")) {
      return binary(isNegated ? "is not distinct from" : "is distinct from", left, this.#readSum());
    }
    for (const value of ["true", "false"]) {
      if (!this.#cursor.take(value)) continue;
      const literal = { kind: "literal", type: "boolean", value } as const;
      return binary(isNegated ? "is distinct from" : "is not distinct from", left, literal);
    }
    return this.#cursor.fail("expects NULL, TRUE, FALSE or DISTINCT FROM");
  }

  #readBetween(left: ParsedExpression, isNegated: boolean): ParsedExpression {
    const from = this.#readSum();
    this.#cursor.expect("and");
    const range = binary("and", binary(">=", left, from), binary("<=", left, this.#readSum()));
    return isNegated ? { kind: "unary", operator: "not", operand: range } : range;
  }

  #readLike(operand: ParsedExpression, isNegated: boolean, isCaseless: boolean): ParsedExpression {
    if (this.#cursor.current.kind !== "text") this.#cursor.fail("expects a pattern in quotes");
    const pattern = this.#cursor.next().text;
    if (this.#cursor.peek("escape")) this.#cursor.fail("ends the pattern: ESCAPE is not supported");
    return { kind: "like", operand, pattern, isNegated, ...(isCaseless && { isCaseless }) };
  }

  #readList(): ParsedExpression[] {
    this.#cursor.expect("(");
    const values = [this.read()];
    while (this.#cursor.take(",")) values.push(this.read());
    this.#cursor.expect(")");
    return values;
  }

  #readSum(): ParsedExpression {
    return this.#readLeft(["+", "-", "||"], () => this.#readProduct());
  }

  #readProduct(): ParsedExpression {
    return this.#readLeft(["*", "/", "%"], () => this.#readUnary());
  }

  #readLeft(operators: readonly BinaryOperator[], readSide: () => ParsedExpression): ParsedExpression {
    let left = readSide();
    for (;;) {
      const operator = operators.find((each) => this.#cursor.take(each));
      if (operator === undefined) return left;
      left = binary(operator, left, readSide());
    }
  }

  #readUnary(): ParsedExpression {
    let isNegative = false;
    while (this.#cursor.peek("-") || this.#cursor.peek("+"))
      isNegative = (this.#cursor.next().text === "-") !== isNegative;
    const operand = readOperand(this.#cursor, () => this.read());
    return isNegative ? { kind: "unary", operator: "-", operand } : operand;
  }
}

function binary(operator: BinaryOperator, left: ParsedExpression, right: ParsedExpression): ParsedExpression {
  return { kind: "binary", operator, left, right };
}

function negations(operand: ParsedExpression, count: number): ParsedExpression {
  return count === 0 ? operand : { kind: "unary", operator: "not", operand: negations(operand, count - 1) };
}
