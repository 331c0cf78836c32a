/** The documents of the demo's company, from `demo/ingest/wiki.yaml`. */
import { stringify } from "yaml";
import { z } from "zod";

const factSchema = z.strictObject({
  fact: z.string(),
  subject: z.string(),
  topic: z.string(),
  category: z.string(),
  tables: z.array(z.string()).default([]),
  /** Equal for facts that have the same meaning. */
  same: z.string().optional(),
  /** Equal for facts that contradict each other. */
  against: z.string().optional(),
});
export type DemoFact = z.output<typeof factSchema>;

const pageSchema = z.strictObject({
  file: z.string(),
  title: z.string(),
  updated: z.string(),
  text: z.array(z.union([z.string(), factSchema])),
});
export type DemoPage = z.output<typeof pageSchema>;

export const demoWikiSchema = z.strictObject({ pages: z.array(pageSchema) });

export function factsOf(pages: readonly DemoPage[]): readonly DemoFact[] {
  return pages.flatMap(({ text }) => text.filter((part) => typeof part !== "string"));
}

/** Formats a page as a file. */
export function formatDemoPage({ title, updated, text }: DemoPage): string {
  const paragraphs = text.map((part) => (typeof part === "string" ? part : part.fact));
  return [`---\n${stringify({ title, updated })}---`, `# ${title}`, ...paragraphs].join("\n\n").concat("\n");
}
