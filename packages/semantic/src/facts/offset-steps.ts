/** From a period to the earlier one whose values an offset metric shows. */
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { TimeGrain } from "../models/model-schema.ts";
import type { OffsetStep } from "../plan/leaf.ts";

/** Takes all steps from a period, in their order. */
export function stepBack(period: SqlExpression, steps: readonly OffsetStep[], weekStart: number): SqlExpression {
  return steps.reduce<SqlExpression>((operand, step) => {
    const { type } = operand;
    if (step.kind === "to_grain") {
      const start: SqlExpression = { kind: "truncate", operand, grain: step.grain, weekStart, type: "date" };
      return step.grain === "hour" ? { ...start, type: "timestamp" } : start;
    }
    return { kind: "shift", operand, count: -step.span.count, grain: step.span.grain, type };
  }, period);
}

/** Whether each moment has one that is the same time later, so that rows can be moved instead of periods. */
export function isFixedTime(steps: readonly OffsetStep[]): boolean {
  return steps.every((step) => step.kind === "back" && ["hour", "day", "week"].includes(step.span.grain));
}

/** The moment whose values a row at the given one has. Steps have a fixed time. */
export function stepForward(time: SqlExpression, steps: readonly OffsetStep[]): SqlExpression {
  return steps.reduceRight<SqlExpression>((operand, step) => {
    if (step.kind !== "back") return operand;
    return { kind: "shift", operand, count: step.span.count, grain: step.span.grain, type: operand.type };
  }, time);
}

export function grainOfStep(step: OffsetStep): TimeGrain {
  return step.kind === "back" ? step.span.grain : step.grain;
}
