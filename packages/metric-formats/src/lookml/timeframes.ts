/** Converts Looker's timeframes: `created_month_num` is the timeframe `month_num` of the group `created`. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";

/** Periods that a query requests as the grain of a time. */
export const periodFrames: readonly string[] = ["raw", "time", "date", "hour", "week", "month", "quarter", "year"];

const months = "January February March April May June July August September October November December".split(" ");

const call = (name: string, ...args: readonly ParsedExpression[]): ParsedExpression => ({
  kind: "call",
  name,
  args,
  isDistinct: false,
});
const text = (value: string): ParsedExpression => ({ kind: "literal", type: "text", value });

function named(name: string, time: ParsedExpression, labels: readonly string[]): ParsedExpression {
  const branches = labels.map((label, index) => ({
    when: { ...equals, left: call(name, time), right: { ...integer, value: String(index + 1) } } as const,
    then: text(label),
  }));
  return { kind: "case", branches, otherwise: undefined };
}
const equals = { kind: "binary", operator: "=" } as const;
const integer = { kind: "literal", type: "integer" } as const;

export interface TimePart {
  readonly type: "number" | "string" | "boolean";
  write(time: ParsedExpression): ParsedExpression;
}

/** Parts of a time that are separate dimensions. */
export const timeParts: Readonly<Record<string, TimePart>> = {
  month_num: { type: "number", write: (time) => call("month", time) },
  day_of_month: { type: "number", write: (time) => call("day", time) },
  hour_of_day: { type: "number", write: (time) => call("hour", time) },
  month_name: { type: "string", write: (time) => named("month", time, months) },
  quarter_of_year: { type: "string", write: (time) => named("quarter", time, ["Q1", "Q2", "Q3", "Q4"]) },
  yesno: { type: "boolean", write: (operand) => ({ kind: "is_null", operand, isNegated: true }) },
};

/** Returns the value of a timeframe in SQL; undefined if it cannot be written in SQL here. */
export function timeframeInSql(frame: string, time: ParsedExpression): ParsedExpression | undefined {
  if (frame === "raw" || frame === "time") return time;
  if (frame === "date") return call("date_trunc", text("day"), time);
  if (frame === "year") return call("year", time);
  return timeParts[frame]?.write(time);
}
