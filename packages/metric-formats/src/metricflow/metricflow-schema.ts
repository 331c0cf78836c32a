/** Schemas for MetricFlow's YAML and dbt's semantic models (specification up to dbt 1.11). */
import { z } from "zod";

const text = z.string().trim().min(1);
const name = text.regex(/^[A-Za-z_]\w*$/, "is not a valid name");
const expression = z.union([text, z.number(), z.boolean()]).transform(String);
const condition = z.union([text.transform((one) => [one]), z.array(text)]);
const words = { description: z.string().exactOptional(), label: z.string().exactOptional() };
const ignored = { config: z.unknown().exactOptional(), meta: z.unknown().exactOptional() };

function word<const Values extends readonly string[]>(values: Values) {
  return z
    .string()
    .transform((value) => value.toLowerCase())
    .pipe(z.enum(values));
}

export const metricFlowGrains = [
  "nanosecond",
  "microsecond",
  "millisecond",
  "second",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "quarter",
  "year",
] as const;
const grain = word(metricFlowGrains);

export const sourceModelSchema = z.strictObject({
  name,
  ...words,
  ...ignored,
  model: text.exactOptional(),
  node_relation: z
    .strictObject({
      alias: text,
      schema_name: text,
      database: text.exactOptional(),
      relation_name: text.exactOptional(),
    })
    .exactOptional(),
  defaults: z.strictObject({ agg_time_dimension: name.nullish() }).nullish(),
  primary_entity: name.nullish(),
  entities: z.array(z.unknown()).nullish(),
  measures: z.array(z.unknown()).nullish(),
  dimensions: z.array(z.unknown()).nullish(),
});
export type SourceModel = z.output<typeof sourceModelSchema>;

export const sourceEntitySchema = z.strictObject({
  name,
  type: word(["primary", "unique", "foreign", "natural"]),
  expr: expression.exactOptional(),
  role: text.exactOptional(),
  entity: text.exactOptional(),
  ...words,
  ...ignored,
});
export type SourceEntity = z.output<typeof sourceEntitySchema>;

export const sourceDimensionSchema = z.strictObject({
  name,
  type: word(["categorical", "time"]),
  expr: expression.exactOptional(),
  is_partition: z.boolean().exactOptional(),
  type_params: z
    .strictObject({
      time_granularity: grain,
      validity_params: z
        .strictObject({ is_start: z.boolean().exactOptional(), is_end: z.boolean().exactOptional() })
        .exactOptional(),
    })
    .nullish(),
  ...words,
  ...ignored,
});
export type SourceDimension = z.output<typeof sourceDimensionSchema>;

export const sourceMeasureSchema = z.strictObject({
  name,
  agg: word(["sum", "min", "max", "average", "count_distinct", "sum_boolean", "count", "percentile", "median"]),
  expr: expression.exactOptional(),
  agg_time_dimension: name.exactOptional(),
  agg_params: z
    .strictObject({
      percentile: z.number().exactOptional(),
      use_discrete_percentile: z.boolean().exactOptional(),
      use_approximate_percentile: z.boolean().exactOptional(),
    })
    .exactOptional(),
  create_metric: z.boolean().exactOptional(),
  create_metric_display_name: text.exactOptional(),
  non_additive_dimension: z
    .strictObject({
      name,
      window_choice: word(["min", "max"]).exactOptional(),
      window_groupings: z.array(name).exactOptional(),
    })
    .exactOptional(),
  ...words,
  ...ignored,
});
export type SourceMeasure = z.output<typeof sourceMeasureSchema>;

const inputFields = { name, filter: condition.nullish(), alias: name.nullish() };
const named = name.transform((only): z.output<typeof inputMeasure> => ({ name: only }));
const inputMeasure = z.strictObject({
  ...inputFields,
  join_to_timespine: z.boolean().exactOptional(),
  fill_nulls_with: z.int().nullish(),
});
export type SourceInput = z.output<typeof inputMeasure>;
const inputOfMetric = z.union([named, inputMeasure]);
const metricInput = z.strictObject({
  ...inputFields,
  offset_window: text.nullish(),
  offset_to_grain: text.nullish(),
});
export type SourceMetricInput = z.output<typeof metricInput>;

export const sourceMetricSchema = z.strictObject({
  name,
  type: word(["simple", "ratio", "cumulative", "derived", "conversion"]),
  type_params: z.strictObject({
    measure: inputOfMetric.exactOptional(),
    numerator: inputOfMetric.exactOptional(),
    denominator: inputOfMetric.exactOptional(),
    expr: expression.exactOptional(),
    metrics: z
      .array(z.union([name.transform((only): SourceMetricInput => ({ name: only })), metricInput]))
      .exactOptional(),
    window: text.exactOptional(),
    grain_to_date: grain.exactOptional(),
    cumulative_type_params: z
      .strictObject({
        window: text.exactOptional(),
        grain_to_date: grain.exactOptional(),
        period_agg: word(["first", "last", "average"]).exactOptional(),
      })
      .exactOptional(),
    conversion_type_params: z
      .strictObject({
        base_measure: inputOfMetric,
        conversion_measure: inputOfMetric,
        calculation: word(["conversions", "conversion_rate"]).exactOptional(),
        entity: name,
        window: text.exactOptional(),
        constant_properties: z.array(z.strictObject({ base_property: name, conversion_property: name })).nullish(),
      })
      .exactOptional(),
  }),
  filter: condition.nullish(),
  time_granularity: text.exactOptional(),
  ...words,
  ...ignored,
});
export type SourceMetric = z.output<typeof sourceMetricSchema>;
