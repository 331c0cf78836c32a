/** Converts filter expressions for times with fixed days. Refuses expressions that depend on the day of the query. */
import { isCalendarDate, isClockTime, type ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../../import-report.ts";
import { binaryOf, combineParts, nullTest, textValue } from "./filter-parts.ts";

export function timeFilter(operand: ParsedExpression, expression: string): ParsedExpression | undefined {
  const items = expression
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const included = items.flatMap((each) => (/^NOT NULL$/i.test(each) ? [] : [includes(operand, each)]));
  const excluded = items.flatMap((each) => (/^NOT NULL$/i.test(each) ? [nullTest(operand, true)] : []));
  return combineParts(included, excluded);
}

function includes(operand: ParsedExpression, item: string): ParsedExpression {
  if (/^NULL$/i.test(item)) return nullTest(operand);
  const before = /^before\s+(.+)$/i.exec(item)?.[1];
  if (before !== undefined) return binaryOf("<", operand, textValue(momentOf(before)));
  const after = /^after\s+(.+)$/i.exec(item)?.[1];
  if (after !== undefined) return binaryOf(">=", operand, textValue(momentOf(after)));
  const [, from, to] = /^(\S+(?: [\d:]+)?)\s+to\s+(\S+(?: [\d:]+)?)$/i.exec(item) ?? [];
  if (from !== undefined && to !== undefined) return between(operand, momentOf(from), momentOf(to));
  return inPeriod(operand, item.replaceAll("/", "-"));
}

/** Writes a range whose end is exclusive. */
function between(operand: ParsedExpression, from: string, to: string): ParsedExpression {
  return binaryOf("and", binaryOf(">=", operand, textValue(from)), binaryOf("<", operand, textValue(to)));
}

/** Writes a condition for a day, a month or a year. */
function inPeriod(operand: ParsedExpression, period: string): ParsedExpression {
  const [, year = "", month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(period) ?? [];
  const from = `${year}-${month ?? "01"}-${day ?? "01"}`;
  if (year === "" || !isCalendarDate(from)) return refuseRelative(period);
  const end = new Date(`${from}T00:00:00Z`);
  if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1);
  else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCFullYear(end.getUTCFullYear() + 1);
  return between(operand, from, end.toISOString().slice(0, 10));
}

function momentOf(text: string): string {
  const moment = text.trim().replaceAll("/", "-");
  const whole = /^\d{4}-\d{2}$/.test(moment) ? `${moment}-01` : /^\d{4}$/.test(moment) ? `${moment}-01-01` : moment;
  return isCalendarDate(whole) || isClockTime(whole) ? whole : refuseRelative(text);
}

function refuseRelative(text: string): never {
  const why = `The filter "${text}" is not a fixed day, month or year, so its rows depend on the day of the query.`;
  return refuseImport(`${why} Filter the time in the query.`);
}
