/** The fields of Metabase's API responses and exported cards that Bridle reads. */
import { isPlainObject } from "@bridle/protocol";
import { z } from "zod";

const text = z.string().nullish();
const review = z.looseObject({ status: text, most_recent: z.boolean().nullish() });
const column = z.looseObject({ name: z.string(), display_name: text, description: text });
const id = z.union([z.int(), z.string()]);

export const metabaseCollection = z.looseObject({
  id,
  name: z.string(),
  archived: z.boolean().nullish(),
  /** The ids of the collection's parents, such as `/4/17/`. */
  location: text,
  personal_owner_id: z.int().nullish(),
  is_personal: z.boolean().nullish(),
  authority_level: text,
});
export type MetabaseCollection = z.output<typeof metabaseCollection>;

export const metabaseCard = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: text,
  archived: z.boolean().nullish(),
  /** `question`, `model` or `metric`. Before version 50, `dataset` marks a model. */
  type: text,
  dataset: z.boolean().nullish(),
  collection_id: z.int().nullish(),
  database_id: z.int().nullish(),
  dataset_query: z.record(z.string(), z.unknown()),
  result_metadata: z.array(column).nullish().catch(null),
  updated_at: text,
  moderation_reviews: z.array(review).nullish(),
  collection: z.looseObject({ name: text, authority_level: text }).nullish().catch(null),
});
export type MetabaseCard = z.output<typeof metabaseCard>;

export const metabaseSnippet = z.looseObject({
  id: z.int().optional(),
  name: z.string(),
  content: z.string(),
  archived: z.boolean().nullish(),
});
export type MetabaseSnippet = z.output<typeof metabaseSnippet>;

export const metabaseDatabases = z.looseObject({ data: z.array(z.looseObject({ id: z.int(), name: z.string() })) });
export const compiledQuery = z.looseObject({ query: z.union([z.string(), z.unknown()]) });

/** Returns the SQL that a person wrote; undefined for a question built in the editor. Reads both formats that Metabase has used. */
export function nativeSql({ dataset_query: query }: Pick<MetabaseCard, "dataset_query">): string | undefined {
  const { native, stages } = query;
  if (isPlainObject(native) && typeof native.query === "string") return native.query;
  const [first] = Array.isArray(stages) ? stages : [];
  return isPlainObject(first) && typeof first.native === "string" ? first.native : undefined;
}
