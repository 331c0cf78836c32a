import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { SqlExpression, SqlType, TypedExpression } from "./sql-expression.ts";

const numeric: readonly SqlType[] = ["integer", "decimal", "number", "double"];

export function isNumeric(type: SqlType): boolean {
  return numeric.includes(type);
}

export function isTimeType(type: SqlType): boolean {
  return type === "date" || type === "timestamp" || type === "timestamptz";
}

/** Returns the common type of values that are compared with each other, or are alternatives for one result. Refuses incompatible types. */
export function mergeTypes(values: readonly SqlExpression[], where: string): TypedExpression {
  const known = values.filter(({ type }) => type !== "unknown");
  const [first] = known;
  if (!first) return { type: "unknown" };
  const types = known.map(({ type }) => type);
  if (types.every(isNumeric)) return mergeNumbers(known);
  if (types.every(isTimeType)) return { type: types.every((type) => type === first.type) ? first.type : "timestamp" };
  const other = types.find((type) => type !== first.type);
  if (other !== undefined) {
    refuseMetric(
      "invalid_expression",
      `${where} meets ${first.type} and ${other}, which engines compare differently. Correct the expression.`,
    );
  }
  return { type: first.type };
}

function mergeNumbers(values: readonly TypedExpression[]): TypedExpression {
  const widest = numeric.findLast((type) => values.some((value) => value.type === type)) ?? "number";
  if (widest !== "decimal") return { type: widest };
  const scales = values.map(({ type, scale }) => (type === "integer" ? 0 : scale));
  const isKnown = scales.every((scale) => scale !== undefined);
  return { type: "decimal", scale: isKnown ? Math.max(...scales) : undefined };
}

export function requireBoolean(operand: SqlExpression): SqlExpression {
  requireType(operand, ["boolean"], "a condition");
  return operand;
}

export function requireNumber(operand: SqlExpression, where: string): void {
  if (isNumeric(operand.type) || operand.type === "unknown") return;
  refuseMetric(
    "invalid_expression",
    `${where} is applied to a ${operand.type}, and needs a number. Correct the expression.`,
  );
}

export function requireType({ type }: TypedExpression, allowed: readonly SqlType[], where: string): void {
  if (type === "unknown" || allowed.includes(type)) return;
  refuseMetric(
    "invalid_expression",
    `${where} is applied to a ${type}, and needs ${allowed.join(" or ")}. Correct the expression.`,
  );
}
