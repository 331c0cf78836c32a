import { UsageError } from "@bridle/app";
import type { MetricRequest } from "@bridle/app/metrics";

type Query = MetricRequest["query"];
type Dimension = NonNullable<Query["dimensions"]>[number];

const grains = ["hour", "day", "week", "month", "quarter", "year"] as const;

export interface QueryWords {
  readonly by?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
  readonly segment?: readonly string[] | undefined;
  readonly having?: readonly string[] | undefined;
  readonly order?: readonly string[] | undefined;
  readonly via?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly timezone?: string | undefined;
  readonly weekStart?: Query["weekStart"];
  readonly totals?: boolean | undefined;
  readonly fill?: boolean | undefined;
  readonly empty?: boolean | undefined;
}

/** The query that the words of a command line ask. Throws UsageError. */
export function readQuery(operands: readonly string[], words: QueryWords): Query {
  const measures = operands.flatMap(splitList);
  if (measures.length === 0) throw new UsageError("The measures are missing. Write bridle query MODEL.MEASURE.");
  const filters = [...(words.where ?? []), ...(words.segment ?? []).map((segment) => ({ segment }))];
  const { limit, timezone, weekStart, totals, fill, empty } = words;
  return {
    measures,
    ...some("dimensions", (words.by ?? []).flatMap(splitList).map(readDimension)),
    ...some("filters", filters),
    ...some("having", words.having ?? []),
    ...some("orderBy", (words.order ?? []).flatMap(splitList).map(readOrder)),
    ...some("via", (words.via ?? []).flatMap(splitList)),
    ...(limit !== undefined && { limit }),
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

/** `orders.placed:month` */
function readDimension(word: string): Dimension {
  const [field = "", text, ...rest] = word.split(":");
  if (text === undefined) return field;
  const grain = grains.find((each) => each === text);
  if (grain === undefined || rest.length > 0) throw new UsageError(`${text} is no grain. Use ${grains.join(", ")}.`);
  return { field, grain };
}

/** `-orders.revenue` is descending. */
function readOrder(word: string): { field: string; descending: boolean } {
  const descending = word.startsWith("-");
  return { field: descending ? word.slice(1) : word, descending };
}
