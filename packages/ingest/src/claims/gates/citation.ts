import type { QuotedText, QuoteSpan } from "../quoted-text.ts";
import { flattenQuote } from "../quoted-text.ts";

/** The minimum number of characters of a quote that is not a whole line. Characters in scripts without an alphabet count twice. */
const minCharacters = 12;
const maxCharacters = 2000;

/** The position of a quote in a text, or the reason why it cannot be cited. */
export type Citation = { readonly span: QuoteSpan } | { readonly reason: string };

/**
 * Finds a quote in a text. Contract: prefers an occurrence outside marked text, because the same words may also occur in an instruction.
 */
export function findCitation(
  quote: string,
  text: QuotedText,
  { start, isMarked = () => false }: { start?: number | undefined; isMarked?: (span: QuoteSpan) => boolean } = {},
): Citation {
  if (quote.length > maxCharacters)
    return { reason: `The quote is longer than ${maxCharacters} characters. Quote the sentence that states it.` };
  const places = text.find(quote);
  const free = places.filter((place) => !isMarked(place));
  const near = (free.length > 0 ? free : places).toSorted(
    (a, b) => Math.abs(a.start - (start ?? 0)) - Math.abs(b.start - (start ?? 0)),
  );
  const [span] = near;
  if (span === undefined) {
    return {
      reason: "The quote is not in the text of the item. Copy one passage without a change, and leave nothing out.",
    };
  }
  if (lengthOf(quote) < minCharacters && !isWholeLine(span, text)) {
    return {
      reason: `The quote is shorter than ${minCharacters} characters and is not a whole line. Quote the sentence that states it.`,
    };
  }
  return { span };
}

function lengthOf(quote: string): number {
  const flat = flattenQuote(quote);
  return flat.length + (flat.match(/[\u2e80-\uffef]/gu)?.length ?? 0);
}

function isWholeLine({ start, end }: QuoteSpan, { original }: QuotedText): boolean {
  const lineStart = original.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = original.indexOf("\n", end - 1);
  const line = original.slice(lineStart, lineEnd < 0 ? original.length : lineEnd);
  return flattenQuote(line).replace(/[.。]$/u, "") === flattenQuote(original.slice(start, end)).replace(/[.。]$/u, "");
}
