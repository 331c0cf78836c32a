import { showHiddenInDocument } from "@bridle/protocol/text";

/** The end of a sentence, including closing quotation marks and brackets, if white space follows; or the end of a line. */
const ends = /[.!?…]["')\]»”]*(?=\s)|[。！？]|\n+/gu;

/**
 * Returns the complete sentences of a text from a position on, and the position after them. An incomplete sentence is returned by a later
 * call.
 */
export function takeSentences(
  text: string,
  from: number,
): { readonly sentences: readonly string[]; readonly next: number } {
  const sentences: string[] = [];
  let next = from;
  for (const match of text.slice(from).matchAll(ends)) {
    const end = from + match.index + match[0].length;
    sentences.push(text.slice(next, end));
    next = end;
  }
  return { sentences, next };
}

/** The maximum number of characters of a sentence to read aloud. */
const longest = 1000;

/** Converts a piece of Markdown to text for reading aloud, without its markup. Hidden characters become escapes, which can be heard. */
export function toSpeech(markdown: string): string {
  return showHiddenInDocument(markdown)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(?:[#>]+|[-*+]|\d+\.)\s+/gm, "")
    .replace(/[*_`~|]+/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest);
}
