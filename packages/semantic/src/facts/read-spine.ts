import { isCalendarDate } from "../expressions/calendar.ts";
import { sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { type PeriodAxis, periodType } from "./period-axis.ts";
import type { PeriodBounds, SpineTable } from "./periods.ts";
import { planSpineTable } from "./spine-table.ts";

/** Returns the periods that the query requests with `spine`, if any. */
export function readSpine(context: PlanContext, axis: PeriodAxis): PeriodBounds | SpineTable | undefined {
  const { query } = context;
  const { grain, weekStart } = axis;
  if (!query.spine) return undefined;
  if ("field" in query.spine) return planSpineTable(context, axis, query.spine.field);
  const { from, to } = query.spine;
  for (const day of [from, to]) {
    if (!isCalendarDate(day)) refuseMetric("invalid_value", `"${day}" is not a date. Write 2024-01-31.`);
  }
  const type = periodType(grain);
  const start = (day: string, time: string): SqlExpression => {
    const operand = grain === "hour" ? sqlLiteral(`${day} ${time}`, "timestamp") : sqlLiteral(day, "date");
    return { kind: "truncate", operand, grain, weekStart, type };
  };
  return { first: start(from, "00:00:00"), last: start(to, "23:00:00") };
}
