/** `context/models/<name>.yaml`: one table with its joins, dimensions, measures and metrics. */

import { readNumberPattern } from "@bridle/protocol";
import { z } from "zod";
import { storedGrains, timeGrains } from "../expressions/time-grains.ts";

/** The parts that can be extracted from a time. */
export const partsOfTime = ["year", "quarter", "month", "day", "hour", "day_of_week", "day_of_year"] as const;
export type PartOfTime = (typeof partsOfTime)[number];

const measureAggregations = ["count", "count_distinct", "sum", "avg", "min", "max", "median"] as const;
export type MeasureAggregation = (typeof measureAggregations)[number];

const operators = ["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is null", "is not null", "contains"] as const;

const name = z
  .string()
  .regex(
    /^[\p{L}_][\p{L}\p{N}_]*$/u,
    "is not a valid name. Use letters, digits and underscores, and begin with a letter",
  );
const text = z.string().trim().min(1, "is empty. Write the text, or remove the line");
const words = {
  description: text.exactOptional(),
  label: text.exactOptional(),
  synonyms: z.array(text).exactOptional(),
};

const value = z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null()]);
const condition = z.strictObject({
  field: text,
  op: z.enum(operators),
  value: z.union([value, z.array(value)]).exactOptional(),
});
export type FilterCondition = z.output<typeof condition>;
export type FilterValue = z.output<typeof value>;

/** A string is an expression. Several conditions in `and` must be true for the same row, even across a to-many join. */
export type MetricFilter =
  | string
  | FilterCondition
  | { readonly or: readonly MetricFilter[] }
  | { readonly and: readonly MetricFilter[] }
  | { readonly segment: string };
export const filterSchema: z.ZodType<MetricFilter> = z.lazy(() =>
  z.union([
    text,
    condition,
    z.strictObject({ or: z.array(filterSchema).min(1) }),
    z.strictObject({ and: z.array(filterSchema).min(1) }),
    z.strictObject({ segment: text }),
  ]),
);

const joinEntry = z.strictObject({
  name: name.exactOptional().describe("Default: the name of the other model."),
  to: name.describe("The other model."),
  on: z
    .union([z.array(z.tuple([text, text])).min(1), text])
    .describe("Pairs of columns of this model and the other, or a condition over {from} and {to}."),
  relationship: z.enum(["many_to_one", "one_to_one", "one_to_many"]),
  ...words,
});

const dimensionEntry = z.strictObject({
  name,
  expr: text.exactOptional().describe("An expression over the columns of the table. Default: the column of that name."),
  type: z.enum(["string", "number", "boolean", "date", "timestamp", "time"]).exactOptional(),
  grain: z.enum(storedGrains).exactOptional().describe("The grain of a stored time."),
  ...words,
});

const semiAdditive = z.strictObject({
  time: name.describe("A dimension of this model."),
  pick: z.enum(["first", "last"]),
  per: z.array(text).exactOptional().describe("The columns that identify an entity with one value at each time."),
});

const span = z.strictObject({ count: z.int().positive(), grain: z.enum(timeGrains) });
export type TimeSpan = z.output<typeof span>;
const filters = z.array(filterSchema).exactOptional();
const format = text.refine((value) => readNumberPattern(value) !== undefined, {
  error: "is not a valid format. Write a pattern such as #,##0.00, 0.0%, #,##0 EUR or $#,##0.00",
});
const shown = {
  format: format.exactOptional().describe("The format of the numbers, such as #,##0.00 or 0.0%."),
  ...words,
};
const window = span.exactOptional().describe("The number and grain of periods to aggregate, up to the row's period.");

const measureEntry = z
  .strictObject({
    name,
    agg: z
      .enum(measureAggregations)
      .exactOptional()
      .describe("The aggregation. Without it, the expression must contain one."),
    expr: text
      .exactOptional()
      .describe(
        "The expression to aggregate. Default: the column of that name; count without an expression counts rows.",
      ),
    filters: filters.describe("Conditions for the rows of this measure only."),
    semi_additive: semiAdditive
      .exactOptional()
      .describe("For states such as stock levels, which must not be summed over time."),
    window,
    ...shown,
  })
  .check(({ value, issues }) => {
    const issue = (path: string, message: string) =>
      issues.push({ code: "custom", input: value, path: [path], message });
    if (value.agg !== undefined) return;
    if (value.expr === undefined)
      issue("agg", "is missing. Write one, or an expr that aggregates itself, such as sum(a) / count(b)");
    if (value.semi_additive !== undefined) issue("semi_additive", "needs an agg. Write one, and the column as expr");
  });

const metricWords = { name, filters, ...shown };

const metricEntry = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("simple"), measure: text, window, ...metricWords }),
  z.strictObject({ type: z.literal("ratio"), numerator: text, denominator: text, window, ...metricWords }),
  z.strictObject({ type: z.literal("derived"), expr: text, window, ...metricWords }),
  z.strictObject({
    type: z.literal("cumulative"),
    measure: text,
    window: span.exactOptional(),
    grain_to_date: z.enum(timeGrains).exactOptional(),
    pick: z
      .enum(["first", "last", "average"])
      .exactOptional()
      .describe(
        "What a longer period shows: the value of its first or last day, or the average of its days. Default: the value at its end.",
      ),
    ...metricWords,
  }),
  z.strictObject({
    type: z.literal("offset"),
    measure: text,
    offset: span.exactOptional(),
    offset_to_grain: z
      .enum(timeGrains)
      .exactOptional()
      .describe("Uses the value at the start of the period with this grain."),
    result: z.enum(["value", "difference", "growth"]).exactOptional(),
    ...metricWords,
  }),
  z.strictObject({
    type: z.literal("conversion"),
    base: text.describe(
      "The measure of the base rows, which can lead to conversions. Dimensions belong to these rows.",
    ),
    conversion: text.describe("The measure of the rows that are conversions."),
    entity: z
      .union([text, z.tuple([text, text])])
      .describe("The column that identifies the owner of a row in both models, or one column for each model."),
    window: span.exactOptional().describe("The maximum time between a base row and its conversion. Default: any time."),
    constant: z
      .array(z.tuple([text, text]))
      .exactOptional()
      .describe("Columns of both models that must be equal in a base row and its conversion."),
    result: z.enum(["rate", "count"]).exactOptional(),
    empty: z.enum(["zero", "null"]).exactOptional().describe("The value of groups without conversions. Default: zero."),
    ...metricWords,
  }),
  z.strictObject({ type: z.literal("share"), measure: text, within: z.array(text).exactOptional(), ...metricWords }),
]);

const segmentEntry = z.strictObject({ name, filter: filterSchema, ...words });

const modelEntry = z.strictObject({
  name,
  connection: name.exactOptional(),
  table: text.exactOptional().describe("The table as schema.table, or connection.schema.table."),
  sql: text.exactOptional().describe("One SELECT statement that returns the rows of the model, instead of a table."),
  primary_key: z.array(text).min(1).exactOptional(),
  joins: z.array(joinEntry).exactOptional(),
  dimensions: z.array(dimensionEntry).exactOptional(),
  measures: z.array(measureEntry).exactOptional(),
  segments: z.array(segmentEntry).exactOptional(),
  metrics: z.array(metricEntry).exactOptional(),
  default_time: name.exactOptional(),
  ...words,
});

export const semanticModelSchema = modelEntry.check(({ value: { table, sql }, issues, value }) => {
  if ((table === undefined) !== (sql === undefined)) return;
  const message = sql === undefined ? "is missing. Write it, or sql" : "and sql exclude each other. Keep one";
  issues.push({ code: "custom", input: value, path: ["table"], message });
});

export type SemanticModel = z.output<typeof semanticModelSchema>;
export type ModelJoin = z.output<typeof joinEntry>;
export type ModelDimension = z.output<typeof dimensionEntry>;
/** A measure in a file. */
export type MeasureEntry = z.output<typeof measureEntry>;
/** A measure that aggregates rows. */
export type ModelMeasure = MeasureEntry & { readonly agg: MeasureAggregation };
export type ModelMetric = z.output<typeof metricEntry>;

const entriesOf: Readonly<Record<string, z.ZodObject>> = {
  joins: joinEntry,
  dimensions: dimensionEntry,
  measures: measureEntry,
  segments: segmentEntry,
};

/** Returns the keys that the schema knows at the path of a mapping. */
export function keysOfModel(path: readonly PropertyKey[], raw: unknown): readonly string[] {
  const [list, index, ...inner] = path;
  if (list === undefined) return Object.keys(semanticModelSchema.shape);
  if (inner.includes("semi_additive")) return Object.keys(semiAdditive.shape);
  if (inner.includes("window") || inner.includes("offset")) return Object.keys(span.shape);
  if (inner.length > 0) return [...Object.keys(condition.shape), "or", "and", "segment"];
  if (list !== "metrics") return Object.keys(entriesOf[String(list)]?.shape ?? {});
  const types = z.looseObject({ metrics: z.array(z.looseObject({ type: z.string() })) }).safeParse(raw);
  const type = types.data?.metrics[Number(index)]?.type;
  const known = metricEntry.options.find(({ shape }) => shape.type.value === type);
  return Object.keys(known?.shape ?? {});
}
