import { UsageError } from "@bridle/app";
import type { MetricRequest } from "@bridle/app/metrics";

type Query = MetricRequest["query"];
type Dimension = NonNullable<Query["dimensions"]>[number];
type Measure = Query["measures"][number];
type WholeDimension = Extract<Dimension, { readonly field: string }>;

const grains = ["hour", "day", "week", "month", "quarter", "year"] as const satisfies WholeDimension["grain"][];
const parts = [
  "year",
  "quarter",
  "month",
  "day",
  "hour",
  "day_of_week",
  "day_of_year",
] satisfies WholeDimension["part"][];

/** Reads `orders.revenue`, or `orders.revenue as income`. */
export function readMeasure(word: string): Measure {
  const { text, as } = splitName(word);
  return as === undefined ? text : { measure: text, as };
}

/**
 * Reads `customers.country`, `orders.placed:month`, `day_of_week of orders.placed`, or one axis for the dates of several models:
 * `orders.placed+refunds.paid:month`. Each may end with `as NAME`. Throws UsageError.
 */
export function readDimension(word: string): Dimension {
  const { text, as } = splitName(word);
  const named = as === undefined ? {} : { as };
  const [, partName, ofPart] = /^(\S+)\s+of\s+(.+)$/i.exec(text) ?? [];
  const [field = "", grainName, ...more] = (ofPart ?? text).split(":");
  if (more.length > 0 || (partName !== undefined && grainName !== undefined))
    throw new UsageError(`"${word}" has a grain and something else. Write it as FIELD:GRAIN, or as "PART of FIELD".`);
  const part = partName === undefined ? undefined : oneOf(parts, partName, "part of a time");
  const grain = grainName === undefined ? undefined : oneOf(grains, grainName, "grain");
  const time = readAxis(field);
  if (time === undefined && !part && !grain && as === undefined) return field.trim();
  if (time === undefined) return { field: field.trim(), ...(part && { part }), ...(grain && { grain }), ...named };
  if (part) return { time, grain: "day", part, ...named };
  if (grain) return { time, grain, ...named };
  throw new UsageError(`The axis ${field} has no grain. Add one, such as ${field}:month.`);
}

/** Reads `orders.placed+refunds.paid`, or `orders.shipped_count=orders.shipped` for one measure. Undefined for a single field. */
function readAxis(text: string): Record<string, string> | undefined {
  const terms = text.split("+").map((term) => term.trim());
  if (terms.length === 1 && !text.includes("=")) return undefined;
  const entries = terms.map((term) => {
    const [first = "", second] = term.split("=").map((each) => each.trim());
    return second === undefined ? [first.split(".")[0] ?? "", first] : [first, second];
  });
  const names = entries.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new UsageError(`The axis ${text} has two dates of ${twice}. Write MEASURE=FIELD for each of them.`);
  return Object.fromEntries(entries);
}

function splitName(word: string): { readonly text: string; readonly as?: string } {
  const [, text, as] = /^(.*\S)\s+as\s+(\S.*)$/i.exec(word) ?? [];
  return text === undefined || as === undefined ? { text: word } : { text, as };
}

function oneOf<Word extends string>(known: readonly Word[], word: string, what: string): Word {
  const found = known.find((each) => each === word);
  if (found === undefined) throw new UsageError(`${word} is not a ${what}. Use ${known.join(", ")}.`);
  return found;
}
