/** Pages about the data, as printed by `bridle context wiki … --json`. */
import type { ContextPage } from "@bridle/context";
import { omitUndefined } from "@bridle/protocol";
import { z } from "zod";

const names = z.array(z.string()).readonly();

const pageHeadSchema = z.object({
  /** The name of the page's file without `.md`. */
  page: z.string(),
  /** The path relative to the project. */
  file: z.string(),
  title: z.string(),
  summary: z.string().optional(),
  tags: names,
  tables: names,
  metrics: names,
  refs: names,
  use: z.enum(["always", "search", "never"]),
  isDisputed: z.boolean(),
  sources: z
    .array(
      z.object({
        source: z.string(),
        item: z.string(),
        title: z.string().optional(),
        updated: z.string().optional(),
        location: z.string().optional(),
      }),
    )
    .readonly(),
});

export const listedPagesSchema = z.object({ pages: z.array(pageHeadSchema).readonly() });
export type ListedPages = z.output<typeof listedPagesSchema>;

export const shownPageSchema = pageHeadSchema.extend({ text: z.string() });
export type ShownPage = z.output<typeof shownPageSchema>;

export const foundPageSchema = z.object({
  page: z.string(),
  title: z.string(),
  summary: z.string().optional(),
  /** The heading of the best matching section. */
  section: z.string().optional(),
  /** The text of that section. */
  text: z.string(),
  isDisputed: z.boolean(),
  score: z.number(),
});
export const foundPagesSchema = z.object({ query: z.string(), pages: z.array(foundPageSchema).readonly() });
export type FoundPages = z.output<typeof foundPagesSchema>;

export const lintedWikiSchema = z.object({
  ok: z.boolean(),
  pages: z.number(),
  problems: z
    .array(
      z.object({
        file: z.string(),
        line: z.number().optional(),
        column: z.number().optional(),
        message: z.string(),
      }),
    )
    .readonly(),
});
export type LintedWiki = z.output<typeof lintedWikiSchema>;

/** Returns a page without its text. */
export function toPageHead({ slug, sources, ...page }: ContextPage): ListedPages["pages"][number] {
  return pageHeadSchema.parse(omitUndefined({ ...page, page: slug, sources }));
}
