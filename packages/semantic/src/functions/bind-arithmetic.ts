import { sqlBinary } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { mergeTypes, requireNumber, requireType } from "../ir/type-rules.ts";

export function bindArithmetic(
  operator: "+" | "-" | "*" | "/" | "%",
  left: SqlExpression,
  right: SqlExpression,
): SqlExpression {
  for (const side of [left, right]) requireNumber(side, operator);
  if (operator === "/") return sqlBinary("/", left, right, { type: "double" });
  if (operator === "%") {
    for (const side of [left, right]) requireType(side, ["integer"], "%");
    return sqlBinary("%", left, right, { type: "integer" });
  }
  const merged = mergeTypes([left, right], operator);
  if (merged.type !== "decimal" || operator !== "*") return sqlBinary(operator, left, right, merged);
  const scales = [left, right].map(({ type, scale }) => (type === "integer" ? 0 : scale));
  const [a, b] = scales;
  const scale = a === undefined || b === undefined ? undefined : a + b;
  return sqlBinary("*", left, right, { type: "decimal", scale });
}
