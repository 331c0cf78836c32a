/** Renders the pages of all claims. Equal claims, in any order, always give the same bytes. */
import { toSlug } from "@bridle/context";
import type { Claim } from "../claims/claim.ts";
import { addsToWordings } from "../claims/wording/compare-wordings.ts";
import { readWording } from "../claims/wording/read-wording.ts";
import { isStatementClaim, PageCitations, type StatementClaim } from "./claim-text.ts";
import { escapeHeading, toLine } from "./markdown-text.ts";
import type { PageItem, RenderedBlock, RenderedPage } from "./page-content.ts";
import { itemsOfTopic, type SubjectItems } from "./page-items.ts";
import { MetricNames, type PageTitle, RelatedPages } from "./related-pages.ts";
import { splitTopic, type TopicPart } from "./split-topic.ts";

/** The name of the source for users' own text on pages. Such text is not rendered, because it is already on the page. */
export const peoplesPages = "pages";

/** Renders the pages, sorted by key. `names` maps the keys of existing pages to their file names. */
export function renderPages(
  claims: readonly Claim[],
  names: ReadonlyMap<string, string> = new Map(),
): readonly RenderedPage[] {
  const sorted = claims.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const statements = sorted.filter(isStatementClaim).filter(({ status }) => status !== "removed");
  const all = new Map(statements.map((claim) => [claim.id, claim]));
  const written = statements.filter((claim) => !isOnPage(claim));
  const topics = [...Map.groupBy(written, (claim) => claim.page ?? toSlug(claim.body.topic))].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const taken = new Set(names.values());
  const titles = topics.map(([key, own]): PageTitle => {
    return { slug: names.get(key) ?? takeName(key, taken), title: titleOf(key, own) };
  });
  const shared = {
    names,
    taken,
    metrics: new MetricNames(sorted),
    related: new RelatedPages(titles),
  };
  return topics.flatMap(([key, own], index) => {
    const subjects = itemsOfTopic(own, all).filter(({ items }) => items.length > 0);
    return renderTopic({ key, slug: key, title: key, ...titles[index], claims: own, subjects, ...shared });
  });
}

/** Whether a user wrote the claim on a page, and documents add nothing to it. */
function isOnPage({ body, sources }: StatementClaim): boolean {
  const wordings = Map.groupBy(sources, ({ source }) => source === peoplesPages);
  const [theirs = [], others = []] = [wordings.get(true), wordings.get(false)];
  const known = theirs.map(({ wording }) => readWording(body.subject, wording));
  return theirs.length > 0 && others.every(({ wording }) => !addsToWordings(readWording(body.subject, wording), known));
}

interface Topic {
  readonly key: string;
  readonly slug: string;
  readonly title: string;
  readonly claims: readonly StatementClaim[];
  readonly subjects: readonly SubjectItems[];
  readonly metrics: MetricNames;
  readonly related: RelatedPages;
  readonly names: ReadonlyMap<string, string>;
  /** Names that pages already use. */
  readonly taken: Set<string>;
}

/** Returns the topic as documents spell it. Of several spellings, returns the first in alphabetical order. */
function titleOf(slug: string, claims: readonly StatementClaim[]): string {
  const topics = claims.map(({ body }) => toLine(body.topic)).sort();
  const own = topics.find((topic) => toSlug(topic) === slug) ?? slug.replaceAll("-", " ");
  return own.charAt(0).toUpperCase() + own.slice(1);
}

function renderTopic(topic: Topic): readonly RenderedPage[] {
  const parts = splitTopic(topic.subjects);
  const pages = parts.map((part) => ({ part, ...placeOf(part, topic) }));
  return pages.map(({ part, key, slug, title }, index) => {
    const [next, isFirst] = [pages[index + 1]?.slug, index === 0];
    const nav = isFirst
      ? linksTo(pages.slice(1).map((page) => page.slug))
      : linksTo([topic.slug, ...(next ? [next] : [])]);
    return renderPart(part, topic, { key, slug, title }, nav);
  });
}

function placeOf({ subject }: TopicPart, topic: Topic): { key: string; slug: string; title: string } {
  const { key: root, slug, title, taken, names } = topic;
  if (subject === undefined) return { key: root, slug, title };
  const end = subject.number === 1 ? "" : ` ${subject.number}`;
  const key = `${root} / ${subject.key}${end}`;
  const name = names.get(key) ?? takeName(toSlug(`${slug} ${subject.key}${end}`), taken);
  return { key, slug: name, title: `${title}: ${toLine(subject.title)}${end}` };
}

/** Returns a name that no other page uses. */
function takeName(wanted: string, taken: Set<string>): string {
  let free = wanted;
  for (let number = 2; taken.has(free); number += 1) free = `${wanted}-${number}`;
  taken.add(free);
  return free;
}

/**
 * The maximum length of the links to other parts. Parts that get no link there can still be reached, because each part links to the next
 * one.
 */
const maxLinkChars = 1500;

function linksTo(slugs: readonly string[]): readonly string[] {
  let size = 0;
  return slugs.filter((slug) => {
    size += slug.length + 6;
    return size <= maxLinkChars;
  });
}

function renderPart(
  { items, subject }: TopicPart,
  topic: Topic,
  { key, slug, title }: { readonly key: string; readonly slug: string; readonly title: string },
  nav: readonly string[],
): RenderedPage {
  const citations = new PageCitations();
  const blocks = [...sectionBlocks(items, citations)];
  const ids = new Set(items.flatMap((item) => item.blocks.flatMap(({ claims }) => claims)));
  const claims = topic.claims.filter(({ id }) => ids.has(id));
  const refs = topic.related.of(claims, topic.slug);
  const format = (slugs: readonly string[]) => slugs.map((each) => `[[${each}]]`).join(", ");
  if (nav.length > 0)
    blocks.push({ key: "parts", text: `${subject === undefined ? "Parts" : "Part of"}: ${format(nav)}` });
  if (refs.length > 0) blocks.push({ key: "links", text: `See also: ${format(refs)}` });
  const subjects = [
    ...new Set(items.filter(({ section }) => section !== "earlier").map((item) => toLine(item.subject))),
  ];
  const front = {
    title,
    summary: summaryOf(subjects, title),
    topics: subject === undefined ? topicsOf(topic) : [key],
    tables: [...new Set(claims.flatMap(({ body }) => body.tables))].sort(),
    metrics: topic.metrics.of(claims),
    refs: [...refs, ...nav.filter((each) => !refs.includes(each))],
    sources: sourcesOf(citations),
  };
  return { key, slug, front, blocks, claims: [...ids].sort() };
}

/** Returns the topic of the page, and the topics of its claims. */
function topicsOf({ key, claims }: Topic): string[] {
  const others = new Set(claims.map(({ body }) => toSlug(body.topic)));
  others.delete(key);
  return [key, ...[...others].sort()];
}

const maxSummaryChars = 200;

function summaryOf(subjects: readonly string[], title: string): string {
  const text = subjects.join("; ");
  if (text === "") return title;
  return text.length <= maxSummaryChars ? text : `${text.slice(0, maxSummaryChars - 1).toWellFormed()}…`;
}

function sourcesOf({ documents }: PageCitations): NonNullable<RenderedPage["front"]["sources"]> {
  return documents.map(({ source, item, title, updated, location }) => ({
    source: toLine(source) || "unknown",
    item: item.toWellFormed(),
    ...(toLine(title) !== "" && { title: toLine(title) }),
    ...(updated !== undefined && { updated }),
    ...(location !== undefined && toLine(location) !== "" && { location: toLine(location) }),
  }));
}

/** Reserved headings of a page. */
const ownHeadings = ["disputed", "earlier"];

function* sectionBlocks(items: readonly PageItem[], citations: PageCitations): Generator<RenderedBlock> {
  const texts = function* (some: readonly PageItem[]): Generator<RenderedBlock> {
    for (const block of some.flatMap(({ blocks }) => blocks)) yield { key: block.key, text: citations.format(block) };
  };
  const facts = Map.groupBy(
    items.filter(({ section }) => section === "facts"),
    ({ subject }) => subject,
  );
  for (const [subject, own] of facts) {
    const title = escapeHeading(subject) || "Facts";
    const heading = ownHeadings.includes(title.toLowerCase()) ? `About ${title}` : capitalise(title);
    yield { key: `heading ${subject}`, text: `## ${heading}` };
    yield* texts(own);
  }
  for (const [section, title, intro] of sections) {
    const own = items.filter((item) => item.section === section);
    if (own.length === 0) continue;
    yield { key: `heading ${section}`, text: `## ${title}` };
    if (intro !== "") yield { key: `intro ${section}`, text: intro };
    yield* texts(own);
  }
}

const sections = [
  ["disputed", "Disputed", ""],
  ["earlier", "Earlier", "These statements were replaced. Do not use them."],
] as const;

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
