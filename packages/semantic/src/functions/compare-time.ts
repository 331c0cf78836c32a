/** Compares dates and times with a day or a moment in a query. */
import { isCalendarDate, isClockTime, nextDay } from "../expressions/calendar.ts";
import type { BinaryOperator } from "../expressions/expression.ts";
import { sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { inUtc } from "../ir/wall-clock.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

/**
 * Writes a comparison. As an upper bound, a day means the whole day, even for fields with a time of day. The operand is in local time or
 * UTC.
 */
export function compareTime(operator: BinaryOperator, operand: SqlExpression, value: string): SqlExpression {
  const written = value.replace("T", " ");
  const text = operand.type === "date" ? written.replace(/ 00:00(:00)?(\.0+)?$/, "") : written;
  const isDay = isCalendarDate(text);
  if (!isDay && !isClockTime(text)) {
    refuseMetric(
      "invalid_value",
      `"${value}" is not a date or time. Write 2024-01-31 or 2024-01-31 12:30:00, without a zone.`,
    );
  }
  if (operand.type === "date" && !isDay) {
    refuseMetric("invalid_value", `"${value}" has a time of day, and is compared with a date. Write the date alone.`);
  }
  if (operand.type === "date") return sqlBinary(operator, operand, sqlLiteral(text, "date"));
  const moment = inUtc(operand);
  if (!isDay) return sqlBinary(operator, moment, sqlLiteral(text.length === 16 ? `${text}:00` : text, "timestamp"));
  return compareWithDay(operator, moment, text);
}
function compareWithDay(operator: BinaryOperator, moment: SqlExpression, day: string): SqlExpression {
  const start = (date: string) => sqlLiteral(`${date} 00:00:00`, "timestamp");
  switch (operator) {
    case "<":
    case ">=":
      return sqlBinary(operator, moment, start(day));
    case "<=":
      return sqlBinary("<", moment, start(nextDay(day)));
    case ">":
      return sqlBinary(">=", moment, start(nextDay(day)));
    case "=":
      return sqlBinary("and", sqlBinary(">=", moment, start(day)), sqlBinary("<", moment, start(nextDay(day))));
    case "<>":
      return sqlBinary("or", sqlBinary("<", moment, start(day)), sqlBinary(">=", moment, start(nextDay(day))));
    default:
      return refuseMetric(
        "ambiguous_question",
        `A time of day is compared with the day ${day} by ${operator}. Use < and >=, or a dimension of days.`,
      );
  }
}
