/** Splits a page into the sections under its headings. Pure. */
import { splitBlocks } from "./page-blocks.ts";

export interface PageSection {
  /** The heading as plain text. Undefined for text before the first heading, and for text below the page's title. */
  readonly heading: string | undefined;
  /** The text, without the heading. */
  readonly text: string;
  /** The offset in the body of the heading, or of the text if there is no heading. */
  readonly offset: number;
}

/** The heading above claims that contradict each other and that nobody has decided between. */
export const disputedHeading = "Disputed";
/** The heading above claims that other claims have replaced. */
export const earlierHeading = "Earlier";

/** Splits a body into sections, in order. Leaves out sections without text. */
export function splitSections(body: string): readonly PageSection[] {
  const sections: { heading: string | undefined; texts: string[]; offset: number }[] = [];
  for (const { kind, text, offset } of splitBlocks(body)) {
    const last = sections.at(-1);
    if (kind === "heading")
      sections.push({ heading: isTitle(text) ? undefined : plainHeading(text), texts: [], offset });
    else if (last === undefined) sections.push({ heading: undefined, texts: [text], offset });
    else last.texts.push(text);
  }
  return sections
    .filter(({ texts }) => texts.length > 0)
    .map(({ heading, texts, offset }) => ({ heading, text: texts.join("\n\n"), offset }));
}

/** Returns the first heading of the highest level; undefined if the body has no heading. */
export function titleIn(body: string): string | undefined {
  const title = splitBlocks(body).find(({ kind, text }) => kind === "heading" && isTitle(text));
  return title && (plainHeading(title.text) || undefined);
}

function isTitle(heading: string): boolean {
  return /^\s*#(?!#)/.test(heading);
}

function plainHeading(heading: string): string {
  return toPlainText(heading.replace(/^\s*#+\s*/, "").replace(/\s+#+\s*$/, ""));
}

/** Converts Markdown to plain text for a search or an excerpt, without source marks, links, emphasis and escapes. */
export function toPlainText(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/g, " ")
    .replaceAll(/(?<!\\)(?:\[\d{1,3}\])+/g, " ")
    .replaceAll(/(?<!\\)\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g, (_, slug, shown) => shown ?? slug)
    .replaceAll(/(?<!\\)!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replaceAll(/(?<![\\\w])[*`]+|[*`]+(?!\w)/g, "")
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
