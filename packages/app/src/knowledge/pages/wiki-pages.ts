import type { ContextPage, OpenedContext } from "@bridle/context";
import { NotFoundError, omitUndefined, suggestion } from "@bridle/protocol";
import type { ProjectContext } from "../../context/project-context.ts";
import { openDataContext } from "../../warehouses/open-data-context.ts";
import { withKnowledge } from "../../warehouses/open-knowledge.ts";
import {
  type FoundPages,
  foundPagesSchema,
  type LintedWiki,
  type ListedPages,
  lintedWikiSchema,
  listedPagesSchema,
  type ShownPage,
  shownPageSchema,
  toPageHead,
} from "./page-results.ts";

/** Lists the pages of the project by name, including pages that are hidden from agents. */
export function listWikiPages(context: ProjectContext): Promise<ListedPages> {
  return withKnowledge(context, ({ wiki }) => listedPagesSchema.parse({ pages: wiki.all().map(toPageHead) }));
}

/** Returns a page by its name, file or title. Throws NotFoundError if it does not exist. */
export function readWikiPage(name: string, context: ProjectContext): Promise<ShownPage> {
  return withKnowledge(context, ({ wiki }) => {
    const page = findPage(name, wiki.all());
    return shownPageSchema.parse({ ...toPageHead(page), text: page.body.trim() });
  });
}

function findPage(name: string, pages: readonly ContextPage[]): ContextPage {
  const wanted = name
    .trim()
    .replace(/^(?:context\/wiki\/)?(.*?)(?:\.md)?$/, "$1")
    .toLowerCase();
  const found =
    pages.find(({ slug }) => slug.toLowerCase() === wanted) ??
    pages.find(({ title }) => title.toLowerCase() === wanted);
  if (found !== undefined) return found;
  if (pages.length === 0) throw new NotFoundError(noPages);
  const slugs = pages.map(({ slug }) => slug);
  const remedy = suggestion(wanted, slugs) || ' List them with "bridle context wiki list".';
  throw new NotFoundError(`There is no page ${name}.${remedy}`);
}

const noPages = 'There are no pages. Write one to context/wiki/NAME.md, or run "bridle context ingest".';

interface PageSearch {
  readonly query: string;
  /** The maximum number of pages to return. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Searches pages by words, as for an agent. Throws NotFoundError if there are none. */
export async function searchWikiPages(search: PageSearch, context: ProjectContext): Promise<FoundPages> {
  const opened = await openDataContext(context);
  try {
    if (opened.wiki.all().length === 0) throw new NotFoundError(noPages);
    return foundPagesSchema.parse({ query: search.query, pages: await findPages(opened, search) });
  } finally {
    await opened.close();
  }
}

/** Returns the matching pages, each with its best matching section. */
export async function findPages(
  opened: OpenedContext,
  { query, limit, signal }: PageSearch,
): Promise<FoundPages["pages"]> {
  const pages = new Map(opened.wiki.list().map((page) => [page.slug, page]));
  const hits = pages.size === 0 ? [] : await opened.search(query, { limit, kinds: ["page"], signal });
  return hits.flatMap(({ id, part = 0, score }) => {
    const found = pages.get(id);
    if (found === undefined) return [];
    const { slug: page, title, summary, isDisputed, sections } = found;
    const { heading: section, text = "" } = sections[part] ?? {};
    return [omitUndefined({ page, title, summary, section, text, isDisputed, score })];
  });
}

/** Checks the pages: their format, broken links, and citation marks without a source. */
export function lintWiki(context: ProjectContext): Promise<LintedWiki> {
  return withKnowledge(context, ({ wiki }) => {
    const problems = wiki.problems.map(({ message, position: { file, line, column } }) =>
      omitUndefined({ file, line, column, message }),
    );
    return lintedWikiSchema.parse({ ok: problems.length === 0, pages: wiki.all().length, problems });
  });
}
