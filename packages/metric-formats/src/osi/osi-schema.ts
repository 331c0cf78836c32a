/** Schemas for Open Semantic Interchange documents (Apache Ossie 0.1.1 and 0.2.0.dev0). */
import { z } from "zod";

const text = z.string().trim().min(1);
const context = z.union([
  z.string(),
  z.looseObject({ instructions: z.string().exactOptional(), synonyms: z.array(text).exactOptional() }),
]);
const list = z.array(z.unknown()).nullish();
const common = {
  name: text.regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, "is not a name of letters, digits and underscores"),
  description: z.string().exactOptional(),
  ai_context: context.exactOptional(),
  custom_extensions: list,
};
const expression = z.strictObject({
  dialects: z.array(z.strictObject({ dialect: text, expression: text })).min(1),
});
export type OsiExpression = z.output<typeof expression>;
const types = [
  "String",
  "Integer",
  "Decimal",
  "Float",
  "Boolean",
  "Date",
  "Time",
  "DateTime",
  "DateTimeTz",
  "Opaque",
] as const;

export const osiDocumentSchema = z.strictObject({
  version: z.unknown().exactOptional(),
  semantic_model: z.array(z.unknown()),
  dialects: z.unknown().exactOptional(),
  vendors: z.unknown().exactOptional(),
});

export const osiModelSchema = z.strictObject({
  ...common,
  name: text,
  datasets: z.array(z.unknown()).min(1),
  relationships: list,
  metrics: list,
});

export const osiFieldSchema = z.strictObject({
  ...common,
  expression,
  dimension: z.strictObject({ is_time: z.boolean().exactOptional() }).exactOptional(),
  label: z.string().exactOptional(),
  datatype: z.enum(types).exactOptional(),
});
export type OsiField = z.output<typeof osiFieldSchema>;

export const osiMetricSchema = z.strictObject({ ...common, expression, datatype: z.enum(types).exactOptional() });
export type OsiMetric = z.output<typeof osiMetricSchema>;

export const osiDatasetSchema = z.strictObject({
  ...common,
  source: text,
  primary_key: z.array(text).exactOptional(),
  unique_keys: z.array(z.array(text)).exactOptional(),
  fields: list,
  metrics: list,
});
export type OsiDataset = z.output<typeof osiDatasetSchema>;

export const osiRelationshipSchema = z.strictObject({
  ...common,
  from: text,
  to: text,
  from_columns: z.array(text).min(1),
  to_columns: z.array(text).min(1),
});
