import { UsageError } from "@bridle/app";
import type { MetricRequest } from "@bridle/app/metrics";
import { readDimension, readMeasure } from "./read-dimension.ts";

type Query = MetricRequest["query"];

export interface QueryWords {
  readonly by?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
  readonly segment?: readonly string[] | undefined;
  readonly having?: readonly string[] | undefined;
  readonly order?: readonly string[] | undefined;
  readonly via?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly limitPer?: readonly string[] | undefined;
  readonly ties?: Query["ties"];
  readonly spine?: string | undefined;
  readonly timezone?: string | undefined;
  readonly weekStart?: Query["weekStart"];
  readonly totals?: boolean | undefined;
  readonly fill?: boolean | undefined;
  readonly empty?: boolean | undefined;
}

/** Builds the query from the words of a command line. Throws UsageError. */
export function readQuery(operands: readonly string[], words: QueryWords): Query {
  const measures = operands.flatMap(splitList).map(readMeasure);
  if (measures.length === 0) throw new UsageError("The measures are missing. Write bridle query MODEL.MEASURE.");
  const filters = [...(words.where ?? []), ...(words.segment ?? []).map((segment) => ({ segment }))];
  const { limit, ties, spine, timezone, weekStart, totals, fill, empty } = words;
  return {
    measures,
    ...some("dimensions", (words.by ?? []).flatMap(splitList).map(readDimension)),
    ...some("filters", filters),
    ...some("having", words.having ?? []),
    ...some("orderBy", (words.order ?? []).flatMap(splitList).map(readOrder)),
    ...some("via", (words.via ?? []).flatMap(splitList)),
    ...(limit !== undefined && { limit }),
    ...some("limitPer", (words.limitPer ?? []).flatMap(splitList)),
    ...(ties !== undefined && { ties }),
    ...(spine !== undefined && { spine: readSpine(spine) }),
    ...(timezone !== undefined && { timezone }),
    ...(weekStart !== undefined && { weekStart }),
    ...(totals && { totals }),
    ...(fill && { fillMissing: true }),
    ...(empty && { includeEmpty: true }),
  };
}

function some<const Key extends string, Value>(key: Key, values: readonly Value[]): { [K in Key]?: Value[] } {
  const result: { [K in Key]?: Value[] } = {};
  if (values.length > 0) result[key] = [...values];
  return result;
}

function splitList(text: string): readonly string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Reads `2025-01-01..2025-12-31`, or a time such as `calendar.day`. */
function readSpine(word: string): NonNullable<Query["spine"]> {
  const [from = "", to, ...more] = word.split("..").map((each) => each.trim());
  if (more.length > 0) throw new UsageError(`"${word}" is not a range of days. Write 2025-01-01..2025-12-31.`);
  return to === undefined ? { field: from } : { from, to };
}

/** Reads an order: `-orders.revenue` is descending. */
function readOrder(word: string): { field: string; descending: boolean } {
  const descending = word.startsWith("-");
  return { field: descending ? word.slice(1) : word, descending };
}
