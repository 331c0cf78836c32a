/** The front matter of a page, `context/wiki/<slug>.md`, which users and ingest write. Unknown keys are kept. */
import { z } from "zod";

const line = z.string().trim().min(1, "is empty. Write the text, or remove the line");
const lines = z.array(line);

/** When agents read a page: always, as part of their instructions; if a search finds the page; or never. */
export const pageUses = ["always", "search", "never"] as const;

/** A source of a page. Marks such as `[2]` in the body refer to positions in the list of sources, from 1. */
const pageSource = z.looseObject({
  source: line.describe("The name of the source, as in context.sources of bridle.yaml."),
  item: line.describe("The document in this source."),
  title: line.exactOptional().describe("The title of the document."),
  updated: line.exactOptional().describe("The date of the last change of the document, such as 2026-03-01."),
  location: line.exactOptional().describe("The path or address of the document for people."),
});

export const pageFrontSchema = z.looseObject({
  title: line.exactOptional().describe("The title. Default: the first heading, or the name of the file."),
  summary: line.exactOptional().describe("A summary of the page in one sentence, for search results."),
  topics: lines.exactOptional().describe("The topics of the facts that ingest writes on this page."),
  tags: lines.exactOptional().describe("Additional words for the search."),
  tables: lines.exactOptional().describe("Related tables: connection.schema.table."),
  metrics: lines.exactOptional().describe("Related metrics: model.name."),
  refs: lines.exactOptional().describe("Pages to read next, by the names of their files without .md."),
  sources: z.array(pageSource).exactOptional().describe("The documents that support the page."),
  use: z
    .enum(pageUses)
    .exactOptional()
    .describe("always: in the instructions of every agent. never: hidden from agents. Default: search."),
});

export type PageFront = z.output<typeof pageFrontSchema>;
export type PageSource = z.output<typeof pageSource>;

/** The valid keys of a front matter. */
export const pageKeys: readonly string[] = Object.keys(pageFrontSchema.shape);
export const pageSourceKeys: readonly string[] = Object.keys(pageSource.shape);

/** The maximum number of characters of a body. Agents read a longer body in parts. */
export const maxPageChars = 4000;
