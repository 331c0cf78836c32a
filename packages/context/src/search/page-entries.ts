import { sha256 } from "@bridle/core";
import type { EntryKind, SearchEntry } from "../facts/entry-kind.ts";
import { splitCompoundName } from "../facts/search-words.ts";
import type { ContextPage, PlacedPage } from "../wiki/context-page.ts";
import { earlierHeading, type PageSection, toPlainText } from "../wiki/page-sections.ts";

/** The pages of a project, as a search reads them. */
export interface SearchedPages {
  readonly version: string;
  placed(): readonly PlacedPage[];
}

/**
 * Defines entries for pages, found by titles, tags, subjects and texts. Each section is an entry, so that a search also finds facts far
 * down in a page.
 */
export function pageEntries(pages: SearchedPages): EntryKind {
  return {
    kind: "page",
    *entries() {
      for (const { page, paths } of pages.placed()) {
        if (page.use === "never" || paths === undefined) continue;
        const sections = page.sections.length > 0 ? page.sections : [{ heading: undefined, text: "", offset: 0 }];
        for (const [index, section] of sections.entries()) yield toEntry(page, section, index, paths);
      }
    },
  };
}

function toEntry(
  { slug, title, summary = "", tags, topics, tables, metrics, isDisputed }: ContextPage,
  { heading = "", text }: PageSection,
  index: number,
  paths: SearchEntry["tables"],
): SearchEntry {
  const plain = toPlainText(text);
  const names = [title, ...topics, slug];
  // Replaced claims count less than current ones with the same words.
  const share = heading === earlierHeading ? 0.3 : 1;
  return {
    id: `${slug}#${index}`,
    group: slug,
    part: index,
    tables: paths,
    needsNoScan: true,
    fingerprint: sha256(JSON.stringify([names, summary, tags, tables, metrics, heading, text, isDisputed, paths])),
    fields: [
      { texts: names, weight: 2.5 * share, usualLength: 5 },
      { texts: [heading], weight: 3.5 * share, usualLength: 3 },
      { texts: tags, weight: 2.5 * share, usualLength: 4 },
      { texts: [plain], weight: 2 * share, usualLength: 60 },
      { texts: [summary], weight: 1 * share, usualLength: 12 },
      { texts: [...tables, ...metrics], weight: 0.8 * share, usualLength: 10 },
    ],
    meaning: share === 1 ? meaningOf(title, heading, tags, plain) : undefined,
  };
}

/** The maximum length of a text to embed. Many embedding models would cut a longer text. */
const maxChars = 1500;

function meaningOf(title: string, heading: string, tags: readonly string[], text: string): string {
  const inWords = (name: string) => splitCompoundName(name).join(" ");
  return [title, heading, tags.map(inWords).join(", "), text]
    .filter(Boolean)
    .join(". ")
    .slice(0, maxChars)
    .toWellFormed();
}
