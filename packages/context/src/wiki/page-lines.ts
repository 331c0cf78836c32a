/** Formats pages as lines of a reply: search hits, sources, and parts of their texts. */
import { showHidden } from "@bridle/protocol";
import { redactSensitive } from "@bridle/warehouse";
import { estimateReplyTokens } from "../replies/estimate-tokens.ts";
import { asLine } from "../replies/reply.ts";
import type { ContextPage } from "./context-page.ts";
import { disputedHeading, earlierHeading, toPlainText } from "./page-sections.ts";

/** The maximum number of characters that are shown of each part of a found page. */
const max = { title: 120, heading: 120, excerpt: 360, summary: 200 };

/** Describes a found page in one line: its name and its best section. */
export function describeFoundPage(page: ContextPage, part = 0): string {
  const { slug, title, summary, sections, isDisputed } = page;
  const section = sections[part];
  const about = section?.heading === undefined ? "" : ` › ${asLine(section.heading, max.heading)}`;
  const said = section === undefined ? (summary ?? "") : toPlainText(section.text);
  const excerpt = said === "" ? "" : `: ${asLine(said, max.excerpt)}`;
  return `- ${asLine(slug, 200)} (${asLine(title, max.title)}${about})${noteOn(section?.heading, isDisputed)}${excerpt}`;
}

function noteOn(heading: string | undefined, isDisputed: boolean): string {
  if (heading === disputedHeading) return " [statements contradict each other]";
  if (heading === earlierHeading) return " [replaced, holds no longer]";
  return isDisputed ? " [other statements on the page contradict each other]" : "";
}

/** Describes a page that names the described table, in one line. */
export function describeNamedPage({ slug, title, summary, isDisputed }: ContextPage): string {
  const about = summary === undefined ? "" : `: ${asLine(summary, max.summary)}`;
  return `- ${asLine(slug, 200)} (${asLine(title, max.title)})${isDisputed ? " [some statements contradict each other]" : ""}${about}`;
}

/** Writes the lines above the text of a page: title, summary, tables, metrics and references. */
export function headOfPage({ title, summary, tables, metrics, refs }: ContextPage): readonly string[] {
  const list = (label: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : [
          `${label}: ${names
            .slice(0, 12)
            .map((name) => asLine(name, 120))
            .join(", ")}`,
        ];
  return [
    asLine(title, max.title),
    ...(summary === undefined ? [] : [`summary: ${asLine(summary, 300)}`]),
    ...list("tables", tables),
    ...list("metrics", metrics),
    ...list("read next", refs),
  ];
}

/** Lists the sources with their numbers, as many as fit within the tokens. */
export function sourceLines({ sources }: ContextPage, tokens: number): readonly string[] {
  const lines: string[] = [];
  let left = tokens;
  for (const [index, { source, item, title, updated }] of sources.entries()) {
    const name = title === undefined ? asLine(item, 120) : `${asLine(title, 120)}, ${asLine(item, 120)}`;
    const line = `[${index + 1}] ${name} (${asLine(source, 60)}${updated === undefined ? "" : `, changed ${asLine(updated, 30)}`})`;
    left -= estimateReplyTokens(line) + 1;
    if (left < 0) return [...lines, `and ${sources.length - index} more sources`];
    lines.push(line);
  }
  return lines;
}

/** A part of a page's text for a reply. It contains no sensitive or hidden text. */
export interface PagePart {
  readonly text: string;
  /** The position in the body after this part. */
  readonly end: number;
}

/** The maximum length of one line. A part is shown as a whole or not at all. */
const maxPartChars = 400;

/** Yields the parts of a text from a position on: lines, and pieces of long lines. */
export function* partsOfPage(body: string, from: number): Iterable<PagePart> {
  let at = from;
  while (at < body.length) {
    const newline = body.indexOf("\n", at);
    const lineEnd = newline < 0 ? body.length : newline;
    const end = lineEnd - at <= maxPartChars ? lineEnd : breakAt(body, at + maxPartChars, at);
    const text = showHidden(redactSensitive(body.slice(at, end).toWellFormed()));
    at = end < lineEnd ? end : lineEnd + 1;
    yield { text, end: Math.min(at, body.length) };
  }
}

/** Finds the last blank before a position; returns the position itself if the word is longer. */
function breakAt(body: string, position: number, from: number): number {
  const blank = body.lastIndexOf(" ", position);
  if (blank > from) return blank + 1;
  return isHighSurrogate(body.charCodeAt(position - 1)) ? position - 1 : position;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
