import { callOf, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { requireNumber } from "../ir/type-rules.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { bindArithmetic } from "./bind-arithmetic.ts";
import { checked, type KnownFunction, numberTypes, wholeArgument } from "./known-function.ts";
import { roundTo } from "./round-number.ts";

const double = { type: "double" } as const;
const zero = sqlLiteral("0", "integer");

export const numberFunctions: Readonly<Record<string, KnownFunction>> = {
  abs: { count: [1, 1], bind: (args, name) => callOf(name, checked(args, numberTypes, name), args[0] ?? double) },
  sign: { count: [1, 1], bind: ([operand]) => signOf(numberOf(operand, "sign")) },
  floor: { count: [1, 1], bind: bindWhole },
  ceil: { count: [1, 1], bind: bindWhole },
  round: {
    count: [1, 2],
    bind: ([operand, digits], name) =>
      roundTo(numberOf(operand, name), digits === undefined ? 0 : wholeArgument(digits, 0, name)),
  },
  mod: { count: [2, 2], bind: ([left, right]) => bindArithmetic("%", numberOf(left, "mod"), numberOf(right, "mod")) },
  power: { count: [2, 2], bind: bindPower },
  sqrt: { count: [1, 1], bind: ([operand]) => rootOf(numberOf(operand, "sqrt")) },
};

function numberOf(operand: SqlExpression | undefined, name: string): SqlExpression {
  if (!operand) return refuseMetric("invalid_expression", `${name} needs a number. Write it.`);
  requireNumber(operand, name);
  return operand;
}

/** Binds rounding to whole numbers, which does not change integers. */
function bindWhole([operand]: readonly SqlExpression[], name: string): SqlExpression {
  const value = numberOf(operand, name);
  if (value.type === "integer") return value;
  if (value.type === "decimal") return callOf(`${name}_decimal`, [value], { type: "decimal", scale: 0 });
  return callOf(name, [value], { type: value.type === "double" ? "double" : "number" });
}

function signOf(operand: SqlExpression): SqlExpression {
  const branch = (operator: "<" | ">" | "=", value: string) => ({
    when: sqlBinary(operator, operand, zero),
    then: sqlLiteral(value, "integer"),
  });
  return { kind: "case", branches: [branch(">", "1"), branch("<", "-1"), branch("=", "0")], type: "integer" };
}

function asDouble(operand: SqlExpression): SqlExpression {
  return operand.type === "double" ? operand : { kind: "cast", operand, type: "double" };
}

/** Binds a power. Returns NULL if the result is not a real number: a root of a negative number, or a negative power of 0. */
function bindPower([first, second]: readonly SqlExpression[], name: string): SqlExpression {
  const [base, exponent] = [asDouble(numberOf(first, name)), asDouble(numberOf(second, name))];
  const isWhole = sqlBinary("=", exponent, callOf("floor", [exponent], double));
  const isReal = [
    sqlBinary(">", base, zero),
    sqlBinary("and", sqlBinary("=", base, zero), sqlBinary(">=", exponent, zero)),
    sqlBinary("and", sqlBinary("<", base, zero), isWhole),
  ].reduce((left, right) => sqlBinary("or", left, right));
  return { kind: "case", branches: [{ when: isReal, then: callOf(name, [base, exponent], double) }], ...double };
}

function rootOf(operand: SqlExpression): SqlExpression {
  const value = asDouble(operand);
  const branches = [{ when: sqlBinary(">=", value, zero), then: callOf("sqrt", [value], double) }];
  return { kind: "case", branches, ...double };
}
