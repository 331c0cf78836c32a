import type { TablePath } from "../facts/identifiers.ts";
import type { WikiPage } from "./page-folder.ts";
import type { PageSource, pageUses } from "./page-schema.ts";
import { disputedHeading, type PageSection, splitSections, titleIn } from "./page-sections.ts";

/** A page as agents and users read it. */
export interface ContextPage {
  /** The file name without `.md`. */
  readonly slug: string;
  /** The file's path, relative to the project. */
  readonly file: string;
  readonly title: string;
  readonly summary: string | undefined;
  readonly tags: readonly string[];
  readonly topics: readonly string[];
  /** The tables that the page names, as written there. */
  readonly tables: readonly string[];
  /** The metrics that the page names, as `model.name`. */
  readonly metrics: readonly string[];
  /** The names of pages to read next. */
  readonly refs: readonly string[];
  /** The sources. Marks such as `[2]` in the body refer to positions in this list, from 1. */
  readonly sources: readonly PageSource[];
  readonly use: (typeof pageUses)[number];
  readonly body: string;
  readonly sections: readonly PageSection[];
  /** Whether the page has contradicting claims that nobody has resolved. */
  readonly isDisputed: boolean;
}

export function toContextPage({ slug, file, front, body }: WikiPage): ContextPage {
  const { title = titleIn(body) ?? slug, summary, tags = [], topics = [], tables = [], metrics = [] } = front;
  const sections = splitSections(body);
  return {
    slug,
    file,
    title,
    summary,
    tags,
    topics,
    tables,
    metrics,
    refs: front.refs ?? [],
    sources: front.sources ?? [],
    use: front.use ?? "search",
    body,
    sections,
    isDisputed: sections.some(({ heading }) => heading === disputedHeading),
  };
}

/** A page with the tables that a caller must be allowed to see. */
export interface PlacedPage {
  readonly page: ContextPage;
  /** Undefined if one of the page's tables or metrics cannot be found. Agents do not see such a page. */
  readonly paths: readonly TablePath[] | undefined;
}
