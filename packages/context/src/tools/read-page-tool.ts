import { type AnyTool, defineTool, omitUndefined, type ToolOutput } from "@bridle/protocol";
import { z } from "zod";
import { asLine, defaultReplyTokens, type FencedReply } from "../replies/reply.ts";
import type { ContextPage } from "../wiki/context-page.ts";
import { headOfPage, partsOfPage, sourceLines } from "../wiki/page-lines.ts";
import type { Wiki } from "../wiki/wiki.ts";
import { type ReadPageOutput, readPageName } from "./sources-of-calls.ts";
import type { ToolBase } from "./tool-base.ts";

const input = z.object({
  page: z.string().trim().min(1).describe("The name of the page, as search_context shows it, such as fares."),
  from: z.int().min(0).optional().describe("Where to continue a page that was cut, as the reply says. Default: 0."),
});

/** Reads one page, a part at a time. */
export function readPageTool(base: ToolBase, wiki: Wiki): AnyTool {
  return defineTool({
    name: readPageName,
    description:
      "Read a page about the data: definitions, rules and exceptions that people wrote down, each with the number of its source. search_context finds pages.",
    input,
    annotations: { readOnly: true, idempotent: true },
    execute: async ({ page: name, from = 0 }) => {
      const page = wiki.find(name, base.scope.isVisible);
      return page === undefined ? explainMissing(base, wiki, name) : showPage(base, page, from);
    },
  });
}

function explainMissing(base: ToolBase, wiki: Wiki, name: string): ToolOutput {
  const reply = base.startReply([]);
  const nearest = wiki.nearest(name, base.scope.isVisible);
  reply.add(`asked for: ${asLine(name, 200)}`);
  for (const slug of nearest) if (!reply.add(`- ${asLine(slug, 200)}`)) break;
  reply.end(
    nearest.length > 0
      ? "There is no such page that you may see. The nearest names are listed."
      : "There is no such page that you may see. Search for words of it with search_context.",
  );
  return { markdown: reply.toString(), structured: { problem: "unknown", nearest }, isError: true };
}

/** The maximum share of a reply that sources take. */
const sourceShare = 0.25;

function showPage(base: ToolBase, page: ContextPage, from: number): ToolOutput {
  const body = page.body.trim();
  const reply = base.startReply([]);
  if (from === 0) for (const line of headOfPage(page)) reply.add(line);
  const tokens = (base.options.replyTokens ?? defaultReplyTokens) * sourceShare;
  const sources = sourceLines(page, tokens);
  if (sources.length > 0 && reply.add("sources:")) for (const line of sources) if (!reply.add(line)) break;
  const next = addText(reply, body, from);
  reply.end(
    `Characters ${Math.min(from, body.length)} to ${next} of ${body.length}.${next < body.length ? ` Continue with from: ${next}.` : ""}`,
  );
  if (page.isDisputed) reply.end(disputedNote);
  if (sources.length > 0) reply.end("Cite the page and the sources whose numbers are behind what you use.");
  const { slug, title, summary, tables, metrics, refs } = page;
  return {
    markdown: reply.toString(),
    structured: omitUndefined({
      page: slug,
      title,
      summary,
      tables,
      metrics,
      refs,
      sources: page.sources,
      isDisputed: page.isDisputed,
      text: body.slice(from, next),
      from,
      next,
      length: body.length,
    }) satisfies ReadPageOutput,
  };
}

/** Adds as many lines as fit, and at least a part of the first. Returns the position to continue at. */
function addText(reply: FencedReply, body: string, from: number): number {
  let next = from;
  for (const { text, end } of partsOfPage(body, from)) {
    if (!(next === from ? reply.addPart(text) : reply.add(text))) break;
    next = end;
  }
  return Math.min(next, body.length);
}

const disputedNote =
  'Statements under "Disputed" contradict each other, and nobody has decided which one holds. State them as disputed, with both wordings.';
