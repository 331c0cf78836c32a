import { callOf, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { bindComparison } from "./bind-comparison.ts";
import { checked, functionOf, type KnownFunction, literalText, wholeArgument } from "./known-function.ts";

const text = { type: "text" } as const;

export const textFunctions: Readonly<Record<string, KnownFunction>> = {
  lower: functionOf([1, 1], ["text"], text),
  upper: functionOf([1, 1], ["text"], text),
  /** Removes spaces, but no other white space. */
  trim: functionOf([1, 1], ["text"], text),
  replace: functionOf([3, 3], ["text"], text),
  length: functionOf([1, 1], ["text"], { type: "integer" }),
  contains: functionOf([2, 2], ["text"], { type: "boolean" }),
  concat: {
    count: [2, 20],
    bind: (args) => checked(args, ["text"], "concat").reduce((a, b) => sqlBinary("||", a, b, text)),
  },
  substr: { count: [2, 3], bind: bindSubstr },
  substring: { count: [2, 3], bind: bindSubstr },
  left: { count: [2, 2], bind: ([operand, length]) => beginningOf(operand, wholeArgument(length, 0, "left")) },
  right: { count: [2, 2], bind: ([operand, length]) => endOf(operand, wholeArgument(length, 0, "right")) },
  starts_with: { count: [2, 2], bind: ([operand, part]) => isPart(beginningOf, operand, part, "starts_with") },
  ends_with: { count: [2, 2], bind: ([operand, part]) => isPart(endOf, operand, part, "ends_with") },
};

const integer = (value: number) => sqlLiteral(String(value), "integer");

/** Binds `substr`. Positions must be literals, because engines interpret positions before the first character differently. */
function bindSubstr([operand, from, length]: readonly SqlExpression[], name: string): SqlExpression {
  const start = integer(wholeArgument(from, 1, name));
  const rest = length ? [integer(wholeArgument(length, 0, name))] : [];
  return callOf("substr", [textOf(operand, name), start, ...rest], text);
}

function beginningOf(operand: SqlExpression | undefined, length: number): SqlExpression {
  return callOf("substr", [textOf(operand, "left"), integer(1), integer(length)], text);
}

function endOf(operand: SqlExpression | undefined, length: number): SqlExpression {
  return callOf("text_end", [textOf(operand, "right"), integer(length)], text);
}

/** Binds tests whether a string begins or ends with another string, which must be a literal. */
function isPart(
  partOf: typeof beginningOf,
  operand: SqlExpression | undefined,
  part: SqlExpression | undefined,
  name: string,
): SqlExpression {
  const value = literalText(part);
  if (value === undefined || !part)
    return refuseMetric("invalid_expression", `${name} needs a text in quotes. Write it.`);
  return bindComparison("=", partOf(operand, [...value].length), part);
}

function textOf(operand: SqlExpression | undefined, name: string): SqlExpression {
  const [first] = checked(operand ? [operand] : [], ["text"], name);
  return first ?? refuseMetric("invalid_expression", `${name} needs a text. Write it.`);
}
