/**
 * Finds problems in pages that parsing cannot find: names of nothing that exists, citation marks without a source, pages with the same
 * title. Pure.
 */
import { suggestion } from "@bridle/protocol";
import type { ContextFileProblem } from "../files/file-problem.ts";
import { toContextPage } from "./context-page.ts";
import type { WikiPage } from "./page-folder.ts";
import { findPageLinks, withoutCode } from "./page-links.ts";

export interface KnownToPages {
  /** Whether the table exists. Missing if nothing was scanned. */
  readonly isTable?: ((name: string) => boolean) | undefined;
  /** Whether the metric exists. Missing if the project has no models. */
  readonly isMetric?: ((name: string) => boolean) | undefined;
}

export function lintPages(pages: readonly WikiPage[], known: KnownToPages): readonly ContextFileProblem[] {
  const slugs = pages.map(({ slug }) => slug);
  const byTitle = Map.groupBy(pages, (page) => toContextPage(page).title.toLowerCase());
  return pages.flatMap((page) => [
    ...lintNames(page, known),
    ...lintLinks(page, slugs),
    ...lintMarks(page),
    ...lintTitle(page, byTitle.get(toContextPage(page).title.toLowerCase()) ?? []),
  ]);
}

function* lintNames({ front, at }: WikiPage, { isTable, isMetric }: KnownToPages): Iterable<ContextFileProblem> {
  for (const [index, name] of (front.tables ?? []).entries()) {
    if (isTable === undefined || isTable(name)) continue;
    const message = `the page names the table ${name}, which no scan found. Write connection.schema.table, or remove it: while a name fits no table, agents may not find the page.`;
    yield { message, position: at(["tables", index]) };
  }
  for (const [index, name] of (front.metrics ?? []).entries()) {
    if (isMetric === undefined || isMetric(name)) continue;
    yield {
      message: `the page names the metric ${name}, which no model has. Write model.name, or remove it: while no model has it, agents do not find the page.`,
      position: at(["metrics", index]),
    };
  }
}

function* lintLinks({ front, body, at, bodyAt }: WikiPage, slugs: readonly string[]): Iterable<ContextFileProblem> {
  const explain = (slug: string) =>
    `there is no page ${slug}.${suggestion(slug, slugs) || " Write it, or remove the link."}`;
  for (const [index, slug] of (front.refs ?? []).entries())
    if (!slugs.includes(slug)) yield { message: explain(slug), position: at(["refs", index]) };
  for (const { slug, offset } of findPageLinks(body))
    if (!slugs.includes(slug)) yield { message: explain(slug), position: bodyAt(offset) };
}

function* lintMarks({ front: { sources = [] }, body, bodyAt }: WikiPage): Iterable<ContextFileProblem> {
  if (sources.length === 0) return; // without sources, [1] is plain text
  for (const { 1: number = "", index } of withoutCode(body).matchAll(/(?<![\\[\w])\[(\d{1,3})\](?![(\]])/g)) {
    if (Number(number) >= 1 && Number(number) <= sources.length) continue;
    yield { message: `the mark [${number}] has no source: the page lists ${sources.length}.`, position: bodyAt(index) };
  }
}

function* lintTitle({ file, slug, at }: WikiPage, same: readonly WikiPage[]): Iterable<ContextFileProblem> {
  const [first] = same;
  if (first === undefined || first.slug === slug) return;
  yield {
    message: `${first.file} has the same title, so agents cannot tell ${file} from it. Change one of them.`,
    position: at(["title"]),
  };
}
