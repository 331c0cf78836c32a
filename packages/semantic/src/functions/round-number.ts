import { callOf, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

const max = 15;
const double = { type: "double" } as const;

/** Rounds a number to this many decimal places, with halves away from zero. Decimals stay exact. */
export function roundTo(operand: SqlExpression, digits: number): SqlExpression {
  if (digits > max)
    refuseMetric("invalid_expression", `A number is rounded to ${digits} digits, and at most ${max} are exact.`);
  const { type, scale } = operand;
  if (type === "integer" || (type === "decimal" && scale !== undefined && scale <= digits)) return operand;
  if (type === "double") return roundDouble(operand, digits);
  if (type !== "decimal") {
    const why = "round is applied to a number of unknown exactness.";
    refuseMetric("unsupported", `${why} Cast it to double, or to a decimal such as decimal(12, 2).`);
  }
  const places = [digits, ...(scale === undefined ? [] : [scale])].map((each) => sqlLiteral(String(each), "integer"));
  return callOf("round_decimal", [operand, ...places], { type: "decimal", scale: digits });
}

/**
 * Rounds a double with plain arithmetic that is the same on every engine, because the engines' own functions round halves in different
 * ways.
 */
function roundDouble(operand: SqlExpression, digits: number): SqlExpression {
  const zero = sqlLiteral("0", "integer");
  const factor = sqlLiteral(`1e${digits}`, "double");
  const nearest = (value: SqlExpression) =>
    callOf("floor", [sum(product(value, factor), sqlLiteral("0.5", "double"))], double);
  const negative = sqlBinary("-", zero, nearest(sqlBinary("-", zero, operand, double)), double);
  const rounded: SqlExpression = {
    kind: "case",
    branches: [{ when: sqlBinary("<", operand, zero), then: negative }],
    otherwise: nearest(operand),
    type: "double",
  };
  return digits === 0 ? rounded : sqlBinary("/", rounded, factor, double);
}

function product(left: SqlExpression, right: SqlExpression): SqlExpression {
  return sqlBinary("*", left, right, double);
}

function sum(left: SqlExpression, right: SqlExpression): SqlExpression {
  return sqlBinary("+", left, right, double);
}
