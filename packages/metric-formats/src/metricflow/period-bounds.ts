/** Converts comparisons of truncated times with the first day of a period to bounds of the times themselves. */
import { isCalendarDate } from "@bridle/semantic/model-parts";

const field = `((?:"[^"]+"\\.)*"[^"]+")`;
const date = `(?:(?:date|timestamp)\\s*)?'(\\d{4}-\\d{2}-\\d{2})(?: 00:00:00)?'`;
const compared = new RegExp(`date_trunc\\('(\\w+)', ${field}\\)\\s*(<=|>=|=|<|>)\\s*${date}`, "gi");
const between = new RegExp(`date_trunc\\('(\\w+)', ${field}\\)\\s+between\\s+${date}\\s+and\\s+${date}`, "gi");

/**
 * Converts `date_trunc('month', "day") = '2024-02-01'` to `("day" >= '2024-02-01' and "day" < '2024-03-01')`. Does not change other
 * strings.
 */
export function withPeriodBounds(text: string): string {
  return text
    .replace(between, (whole, grain: string, name: string, first: string, last: string) => {
      const [from, to] = [periodFrom(grain, first), periodFrom(grain, last)];
      return from && to ? `(${name} >= '${from.start}' and ${name} < '${to.next}')` : whole;
    })
    .replace(compared, (whole, grain: string, name: string, operator: string, day: string) => {
      const period = periodFrom(grain, day);
      if (!period) return whole;
      const { start, next } = period;
      if (operator === "=") return `(${name} >= '${start}' and ${name} < '${next}')`;
      if (operator === "<" || operator === ">=") return `${name} ${operator} '${start}'`;
      return operator === ">" ? `${name} >= '${next}'` : `${name} < '${next}'`;
    });
}

const months: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Returns the period that begins with this day, and the first day after the period. */
function periodFrom(grain: string, start: string): { readonly start: string; readonly next: string } | undefined {
  if (!isCalendarDate(start)) return undefined;
  const day = new Date(`${start}T00:00:00Z`);
  const count = months[grain];
  if (grain === "week" && day.getUTCDay() !== 1) return undefined;
  if (count !== undefined && (day.getUTCDate() !== 1 || day.getUTCMonth() % count !== 0)) return undefined;
  if (count !== undefined) day.setUTCMonth(day.getUTCMonth() + count);
  else if (grain === "week" || grain === "day") day.setUTCDate(day.getUTCDate() + (grain === "week" ? 7 : 1));
  else return undefined;
  return { start, next: day.toISOString().slice(0, 10) };
}
