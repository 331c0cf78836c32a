/** The fields of Looker's API responses (API 4.0) and exported files that Bridle reads. */
import { z } from "zod";

const text = z.string().nullish();
const flag = z.boolean().nullish();

const field = z.looseObject({
  name: z.string(),
  type: text,
  description: text,
  label_short: text,
  /** The SQL; missing if the API key may not see LookML. */
  sql: text,
  primary_key: flag,
  hidden: flag,
  dimension_group: text,
  filters: z.array(z.looseObject({ field: text, condition: text })).nullish(),
});
export type LookerField = z.output<typeof field>;

const join = z.looseObject({
  name: z.string(),
  from: text,
  relationship: text,
  type: text,
  sql_on: text,
  sql_table_name: text,
});
export type LookerJoin = z.output<typeof join>;

export const lookerExplore = z.looseObject({
  name: z.string(),
  model_name: text,
  label: text,
  description: text,
  hidden: flag,
  view_name: text,
  sql_table_name: text,
  fields: z.looseObject({ dimensions: z.array(field).nullish(), measures: z.array(field).nullish() }),
  joins: z.array(join).nullish(),
});
export type LookerExplore = z.output<typeof lookerExplore>;

export const lookerModel = z.looseObject({
  name: z.string(),
  explores: z.array(z.looseObject({ name: z.string(), hidden: flag })).nullish(),
});

const id = z.union([z.string(), z.int()]).transform(String);
const folder = z
  .looseObject({ id: id.nullish(), name: text, is_personal: flag, is_personal_descendant: flag })
  .nullish();

const query = z
  .looseObject({
    model: text,
    view: text,
    fields: z.array(z.string()).nullish(),
    filters: z.record(z.string(), z.unknown()).nullish(),
    filter_expression: text,
    dynamic_fields: text,
  })
  .nullish();
export type LookerQuery = z.output<typeof query>;

/** The fields of a dashboard or look in lists. */
export const lookerListed = z.looseObject({ id, title: text, updated_at: text, deleted: flag, folder });
export type LookerListed = z.output<typeof lookerListed>;

const element = z.looseObject({
  title: text,
  title_text: text,
  subtitle_text: text,
  body_text: text,
  note_text: text,
  type: text,
  query,
  look: z.looseObject({ query, title: text }).nullish(),
  result_maker: z.looseObject({ query, filterables: z.unknown() }).nullish(),
});
export const lookerDashboard = lookerListed.extend({
  description: text,
  dashboard_elements: z.array(element),
  dashboard_filters: z.array(z.looseObject({ title: text, dimension: text, default_value: text })).nullish(),
});
export type LookerDashboard = z.output<typeof lookerDashboard>;

export const lookerLook = lookerListed.extend({ description: text, query });
export type LookerLook = z.output<typeof lookerLook>;
