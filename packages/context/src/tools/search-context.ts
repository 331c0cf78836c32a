import { type AnyTool, defineTool, omitUndefined, type ToolOutput } from "@bridle/protocol";
import { z } from "zod";
import { parseTableId } from "../facts/parse-identifier.ts";
import type { KnownTable } from "../knowledge/known.ts";
import { asLine, type FencedReply } from "../replies/reply.ts";
import type { SearchHit } from "../search/context-search.ts";
import type { ContextPage } from "../wiki/context-page.ts";
import { describeFoundPage } from "../wiki/page-lines.ts";
import { formatDescription } from "./describe-column.ts";
import { describeFound, type FoundMetric, metricKinds } from "./describe-found.ts";
import { describeJoin } from "./describe-join.ts";
import type { ToolBase } from "./tool-base.ts";

const input = z.object({
  query: z.string().trim().min(1).describe("Words for what you look for, such as: revenue by customer country."),
  limit: z.int().min(1).max(30).optional().describe("The most tables to return. Default: 8."),
});

const maxJoins = 6;
const maxMetrics = 8;
const maxPages = 5;

interface FoundPage {
  readonly page: ContextPage;
  /** The position of the best section. */
  readonly part: number;
  readonly score: number;
}

/** Creates the tool to call first, which finds the tables for a question. */
export function searchContextTool(base: ToolBase): AnyTool {
  return defineTool({
    name: "search_context",
    description:
      "Find tables, columns, joins, metrics, dimensions and pages by words. Call it first, before any SQL: it returns the tables that fit best, with their columns, descriptions and joins, the metrics that people have defined, and the pages on which they explain the data.",
    input,
    annotations: { readOnly: true, idempotent: true },
    execute: ({ query, limit = 8 }, { signal }) => run(base, query, limit, signal),
  });
}

async function run(base: ToolBase, query: string, limit: number, signal: AbortSignal): Promise<ToolOutput> {
  const { search, knowledge } = base.options;
  const visible = { isVisible: base.scope.isVisible, signal };
  const hits = await search.find(query, { ...visible, limit, kinds: ["table"] });
  const tables = hits.flatMap(({ id }) => base.table(id) ?? []);
  const joinIds = new Set(
    (await search.find(query, { ...visible, limit: maxJoins, kinds: ["join"] })).map(({ id }) => id),
  );
  const found = new Set(tables.map(({ id }) => id));
  const joins = tables
    .flatMap(({ id }) => knowledge.joins(id, base.scope.isVisible))
    .filter((join, index, all) => all.findIndex(({ id }) => id === join.id) === index)
    .filter(({ id, from, to }) => joinIds.has(id) || (found.has(from.table) && found.has(to.table)))
    .slice(0, maxJoins);
  const metrics = await findMetrics(base, query, signal);
  const pages = await findPages(base, query, signal);
  const reply = base.startReply();
  if (metrics.length > 0) reply.add("metrics and dimensions, which query_metrics computes:");
  for (const metric of metrics) reply.add(describeMetric(base, metric));
  const shownPages = addPages(reply, pages);
  const shown = tables.filter((table, index) => {
    const line = describeHit(base, query, table);
    return index === 0 ? reply.addPart(line) : reply.add(line);
  });
  if (joins.length > 0 && reply.add("joins between them:")) {
    for (const join of joins) if (!reply.add(`- ${describeJoin(join)}`)) break;
  }
  for (const sentence of advise(tables, shown, metrics.length + shownPages.length)) reply.end(sentence);
  if (shownPages.length > 0) reply.end("Read a page with read_page before you rely on it.");
  const structured = {
    tables: shown.map((table) => toStructured(table, hits)),
    joins,
    metrics,
    pages: shownPages.map(toStructuredPage),
  };
  return { markdown: reply.toString(), structured };
}

/** Finds the metrics, dimensions and models that match a query. */
async function findMetrics(base: ToolBase, query: string, signal: AbortSignal): Promise<readonly FoundMetric[]> {
  const { metrics, search } = base.options;
  if (metrics === undefined) return [];
  const { isVisible } = base.scope;
  const hits = await search.find(query, { isVisible, kinds: metricKinds, limit: maxMetrics, signal });
  const models = hits.length === 0 ? [] : metrics.list({ isVisible });
  return hits.flatMap((hit) => describeFound(hit, models) ?? []);
}

function describeMetric(base: ToolBase, { kind, name, formula, description }: FoundMetric): string {
  const is = formula === undefined ? "" : `: ${asLine(formula, 200)}`;
  const about = base.options.wiki?.aboutMetric(name, base.scope.isVisible) ?? [];
  return `- ${kind} ${asLine(name, 150)}${is}${description === undefined ? "" : `. ${asLine(description, 200)}`}${namePages(about)}`;
}

function namePages(pages: readonly ContextPage[]): string {
  const names = pages.slice(0, 3).map(({ slug }) => asLine(slug, 80));
  const more = pages.length > names.length ? `, and ${pages.length - names.length} more` : "";
  return names.length === 0 ? "" : `\n  pages: ${names.join(", ")}${more}`;
}

/** Finds the pages that match a query, each with its best section. */
async function findPages(base: ToolBase, query: string, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const { wiki, search } = base.options;
  if (wiki === undefined) return [];
  const { isVisible } = base.scope;
  const hits = await search.find(query, { isVisible, kinds: ["page"], limit: maxPages, signal });
  const pages = new Map(wiki.list(isVisible).map((page) => [page.slug, page]));
  return hits.flatMap(({ id, part = 0, score }) => {
    const page = pages.get(id);
    return page === undefined ? [] : [{ page, part, score }];
  });
}

function addPages(reply: FencedReply, pages: readonly FoundPage[]): readonly FoundPage[] {
  if (pages.length === 0 || !reply.add("pages, which read_page shows:")) return [];
  return pages.filter(({ page, part }) => reply.add(describeFoundPage(page, part)));
}

function toStructuredPage({ page: { slug, title, summary, isDisputed, sections }, part, score }: FoundPage) {
  return omitUndefined({ page: slug, title, summary, section: sections[part]?.heading, isDisputed, score });
}

function describeHit(base: ToolBase, query: string, table: KnownTable): string {
  const names = table.columns.map(({ name }) => name);
  const matching = base.options.search.matching(query, names).slice(0, 8);
  const rows = table.rows === undefined ? "" : `, ${table.rowsAreExact ? "" : "about "}${table.rows} rows`;
  const listed = [...new Set([...matching, ...names])].slice(0, 12).map((name) => asLine(name, 60));
  const more = names.length > listed.length ? `, and ${names.length - listed.length} more` : "";
  const pages = namePages(base.options.wiki?.aboutTable(table.id, base.scope.isVisible) ?? []);
  return `- ${asLine(table.id, 250)} (${table.kind}${rows})${formatDescription(table.description)}\n  columns: ${listed.join(", ")}${more}${pages}`;
}

function advise(tables: readonly KnownTable[], shown: readonly KnownTable[], others: number): string[] {
  if (tables.length === 0 && others === 0) {
    return [
      "Nothing was found. Try other words, or list the tables with describe. If nothing fits, say that you do not know.",
    ];
  }
  const cut =
    shown.length < tables.length
      ? [`${tables.length - shown.length} more did not fit. Search with more exact words.`]
      : [];
  return [...cut, "Read a table's columns with describe before you write SQL."];
}

function toStructured({ id, kind, rows, description }: KnownTable, hits: readonly SearchHit[]) {
  const path = parseTableId(id);
  return omitUndefined({ id, ...path, kind, rows, description, score: hits.find((hit) => hit.id === id)?.score });
}
