/** The fields of Notion's API responses that Bridle reads (API version 2025-09-03). */
import { z } from "zod";

const annotations = z.looseObject({
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strikethrough: z.boolean().optional(),
  code: z.boolean().optional(),
});
const richTextPart = z.looseObject({
  plain_text: z.string(),
  href: z.string().nullish(),
  annotations: annotations.optional(),
});
export const richText = z.array(richTextPart);
export type RichText = z.output<typeof richText>;

/** A property, whose value is under the key named like its type. */
const property = z.looseObject({ type: z.string() });
const parent = z.looseObject({ type: z.string() });

export const notionPage = z.looseObject({
  object: z.literal("page"),
  id: z.string(),
  last_edited_time: z.string(),
  archived: z.boolean().optional(),
  in_trash: z.boolean().optional(),
  url: z.string().nullish(),
  parent: parent.optional(),
  properties: z.record(z.string(), property),
});
export type NotionPage = z.output<typeof notionPage>;

const columnSchema = z.looseObject({
  name: z.string().optional(),
  type: z.string(),
  description: z.string().nullish(),
});
export const notionDataSource = z.looseObject({
  object: z.literal("data_source"),
  id: z.string(),
  last_edited_time: z.string().optional(),
  archived: z.boolean().optional(),
  in_trash: z.boolean().optional(),
  url: z.string().nullish(),
  title: richText.optional(),
  description: richText.optional(),
  properties: z.record(z.string(), columnSchema),
});
export type NotionDataSource = z.output<typeof notionDataSource>;

export const notionDatabase = z.looseObject({
  object: z.literal("database"),
  data_sources: z.array(z.looseObject({ id: z.string() })),
  archived: z.boolean().optional(),
  in_trash: z.boolean().optional(),
});

const notionBlock = z.looseObject({
  id: z.string(),
  type: z.string(),
  has_children: z.boolean().optional(),
  archived: z.boolean().optional(),
  in_trash: z.boolean().optional(),
});
export type NotionBlock = z.output<typeof notionBlock>;

const list = { has_more: z.boolean(), next_cursor: z.string().nullish() };
export const blockList = z.looseObject({ results: z.array(notionBlock), ...list });
export const objectList = z.looseObject({
  results: z.array(z.union([notionPage, notionDataSource, z.looseObject({})])),
  ...list,
});
