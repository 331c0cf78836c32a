/**
 * Parses expressions of models and queries. The language is the part of SQL that every engine reads in the same way, without subqueries,
 * comments and parameters. `../functions/bind-call.ts` checks later which functions exist.
 */
import type { TokenCursor } from "@bridle/sql";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { BinaryOperator, ParsedExpression } from "./expression.ts";
import { openExpression } from "./expression-rules.ts";
import { readOperand } from "./operand-reader.ts";

/** Parses an expression. Throws a MetricRefusalError if the string is not an expression. */
export function parseExpression(source: string): ParsedExpression {
  if (source.length > 10_000)
    refuseMetric("invalid_expression", "An expression is longer than 10,000 characters. Shorten it.");
  const cursor = openExpression(source);
  const parsed = new ExpressionReader(cursor).read();
  if (!cursor.isAtEnd) cursor.fail("the end of the expression");
  return parsed;
}

class ExpressionReader {
  readonly #cursor: TokenCursor;

  constructor(cursor: TokenCursor) {
    this.#cursor = cursor;
  }

  read(): ParsedExpression {
    return this.#cursor.nest(() => {
      let left = this.#readAnd();
      while (this.#cursor.accept("or")) left = binary("or", left, this.#readAnd());
      return left;
    });
  }

  #readAnd(): ParsedExpression {
    let left = this.#readNot();
    while (this.#cursor.accept("and")) left = binary("and", left, this.#readNot());
    return left;
  }

  #readNot(): ParsedExpression {
    let count = 0;
    while (this.#cursor.accept("not")) count += 1;
    const operand = this.#readComparison();
    return count === 0 ? operand : negations(operand, count);
  }

  #readComparison(): ParsedExpression {
    const left = this.#readSum();
    const cursor = this.#cursor;
    if (cursor.accept("is")) return this.#readIs(left);
    const isNegated = cursor.accept("not");
    if (cursor.accept("in")) return { kind: "in", operand: left, values: this.#readList(), isNegated };
    if (cursor.accept("between")) return this.#readBetween(left, isNegated);
    if (cursor.accept("like")) return this.#readLike(left, isNegated, false);
    if (cursor.accept("ilike")) return this.#readLike(left, isNegated, true);
    if (isNegated) cursor.fail("IN, BETWEEN, LIKE or ILIKE");
    for (const operator of ["<>", "<=", ">=", "=", "<", ">"] as const) {
      if (cursor.accept(operator)) return binary(operator, left, this.#readSum());
    }
    return cursor.accept("!=") ? binary("<>", left, this.#readSum()) : left;
  }

  #readIs(left: ParsedExpression): ParsedExpression {
    const isNegated = this.#cursor.accept("not");
    if (this.#cursor.accept("null")) return { kind: "is_null", operand: left, isNegated };
    if (this.#cursor.accept("distinct", "from")) {
      return binary(isNegated ? "is not distinct from" : "is distinct from", left, this.#readSum());
    }
    for (const value of ["true", "false"]) {
      if (!this.#cursor.accept(value)) continue;
      const literal = { kind: "literal", type: "boolean", value } as const;
      return binary(isNegated ? "is distinct from" : "is not distinct from", left, literal);
    }
    return this.#cursor.fail("NULL, TRUE, FALSE or DISTINCT FROM");
  }

  #readBetween(left: ParsedExpression, isNegated: boolean): ParsedExpression {
    const from = this.#readSum();
    this.#cursor.expect("and");
    const range = binary("and", binary(">=", left, from), binary("<=", left, this.#readSum()));
    return isNegated ? { kind: "unary", operator: "not", operand: range } : range;
  }

  #readLike(operand: ParsedExpression, isNegated: boolean, isCaseless: boolean): ParsedExpression {
    if (this.#cursor.peek().kind !== "text") this.#cursor.fail("a pattern in quotes");
    const pattern = this.#cursor.next().value;
    if (this.#cursor.at("escape")) this.#cursor.fail("the end of the pattern: ESCAPE is not supported");
    return { kind: "like", operand, pattern, isNegated, ...(isCaseless && { isCaseless }) };
  }

  #readList(): ParsedExpression[] {
    this.#cursor.expect("(");
    const values = [this.read()];
    while (this.#cursor.accept(",")) values.push(this.read());
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
      const operator = operators.find((each) => this.#cursor.accept(each));
      if (operator === undefined) return left;
      left = binary(operator, left, readSide());
    }
  }

  #readUnary(): ParsedExpression {
    let isNegative = false;
    while (this.#cursor.at("-") || this.#cursor.at("+"))
      isNegative = (this.#cursor.next().value === "-") !== isNegative;
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
