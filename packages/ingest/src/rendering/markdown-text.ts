/** Escapes texts from documents, so that Markdown shows them unchanged. Pure. */
import { normalizeText, showHiddenInDocument } from "@bridle/protocol";

/**
 * Returns a text as one line of Markdown that cannot begin a block, a link, a source mark, a tag or an entity. Words and identifiers stay
 * unchanged, so that a search finds them.
 */
export function escapeMarkdown(text: string): string {
  const line = toLine(text);
  const inline = line
    .replaceAll(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replaceAll(/[[\]]/g, "\\$&")
    .replaceAll(/<(?=[\p{L}/!?])/gu, "\\<")
    .replaceAll(/&(?=#|\p{L}[\p{L}\p{N}]*;)/gu, "\\&")
    .replaceAll(/`{3,}|~{3,}/g, (marks) => [...marks].map((mark) => `\\${mark}`).join(""));
  return escapeStart(inline);
}

/** Escapes the text of a heading, including characters that Markdown would remove at the end of a heading. */
export function escapeHeading(text: string): string {
  return escapeMarkdown(text).replace(/#+$/, (marks) => `\\${marks}`);
}

/** Removes hidden characters, and collapses whitespace. */
export function toLine(text: string): string {
  const visible = showHiddenInDocument(text.toWellFormed().replaceAll(/\s+/g, " "), () => "");
  return normalizeText(visible, "NFC").replaceAll(/\s+/g, " ").trim();
}

/** Escapes characters that could begin a heading, quotation, list, rule or table. */
function escapeStart(line: string): string {
  if (/^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|[=|:]|(?:[-_*]\s*){3,}$)/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}
