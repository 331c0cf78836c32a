/** Takes steps from a period to the earlier period that an offset metric shows. */

import type { TimeGrain } from "../expressions/time-grains.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
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

/** Whether every step has a fixed length, so that rows can be moved instead of periods. */
export function isFixedTime(steps: readonly OffsetStep[]): boolean {
  return steps.every((step) => step.kind === "back" && ["hour", "day", "week"].includes(step.span.grain));
}

/** Moves the time of a row forward to the moment that shows its value. All steps must have a fixed length. */
export function stepForward(time: SqlExpression, steps: readonly OffsetStep[]): SqlExpression {
  return steps.reduceRight<SqlExpression>((operand, step) => {
    if (step.kind !== "back") return operand;
    return { kind: "shift", operand, count: step.span.count, grain: step.span.grain, type: operand.type };
  }, time);
}

export function grainOfStep(step: OffsetStep): TimeGrain {
  return step.kind === "back" ? step.span.grain : step.grain;
}
