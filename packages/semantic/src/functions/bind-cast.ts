import type { CastType, ParsedExpression } from "../expressions/expression.ts";
import { callOf, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression, SqlType } from "../ir/sql-expression.ts";
import { clockOf, inUtc } from "../ir/wall-clock.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { roundTo } from "./round-number.ts";

type Cast = Pick<Extract<ParsedExpression, { kind: "cast" }>, "to" | "digits">;

const castable: Readonly<Record<CastType, readonly SqlType[]>> = {
  integer: ["integer", "boolean"],
  double: ["integer", "decimal", "double", "number", "boolean", "unknown"],
  text: ["text", "integer", "date", "boolean", "uuid", "unknown"],
  date: ["date", "timestamp", "timestamptz"],
  timestamp: ["date", "timestamp", "timestamptz"],
  decimal: ["integer", "decimal", "double", "boolean"],
};

export function bindCast(operand: SqlExpression, { to, digits }: Cast, zone: string | undefined): SqlExpression {
  if (!castable[to].includes(operand.type)) {
    const remedy = to === "integer" ? "Use floor or round." : "Store the value in the type that you need.";
    refuseMetric("unsupported", `A cast of ${operand.type} to ${to} differs between engines. ${remedy}`);
  }
  if (to === "decimal") return toDecimal(withNumberType(operand), digits);
  if (operand.type === to) return operand;
  switch (to) {
    case "date":
      return { kind: "truncate", operand: clockOf(zone, operand), grain: "day", weekStart: 0, type: "date" };
    case "timestamp":
      return operand.type === "timestamptz" ? inUtc(operand) : { kind: "cast", operand, type: to };
    case "text":
      if (operand.type === "uuid") return callOf("uuid_text", [operand], { type: "text" });
      return operand.type === "boolean" ? wordOf(operand) : { kind: "cast", operand, type: to };
    default: {
      const number = withNumberType(operand);
      return number.type === to ? number : { kind: "cast", operand: number, type: to };
    }
  }
}

/** Rounds first, because a cast alone truncates digits on some engines. */
function toDecimal(operand: SqlExpression, digits: Cast["digits"]): SqlExpression {
  if (!digits) return refuseMetric("invalid_expression", "A cast to decimal needs digits, as in decimal(12, 2).");
  const [all, scale] = digits;
  const places = [all, scale].map((each) => sqlLiteral(String(each), "integer"));
  return callOf("to_decimal", [roundTo(operand, scale), ...places], { type: "decimal", scale });
}

/** Converts true to 1, and false to 0. */
export function withNumberType(operand: SqlExpression): SqlExpression {
  if (operand.type !== "boolean") return operand;
  return byTruth(operand, sqlLiteral("1", "integer"), sqlLiteral("0", "integer"));
}

function wordOf(operand: SqlExpression): SqlExpression {
  return byTruth(operand, sqlLiteral("true", "text"), sqlLiteral("false", "text"));
}

function byTruth(operand: SqlExpression, whenTrue: SqlExpression, whenFalse: SqlExpression): SqlExpression {
  const isFalse: SqlExpression = { kind: "not", operand, type: "boolean" };
  const branches = [
    { when: operand, then: whenTrue },
    { when: isFalse, then: whenFalse },
  ];
  return { kind: "case", branches, type: whenTrue.type };
}
