import { showHiddenInDocument } from "@bridle/protocol/text";

/** The end of a sentence, with quotes and brackets that belong to it, if something follows; or the end of a line. */
const ends = /[.!?…]["')\]»”]*(?=\s)|[。！？]|\n+/gu;

/** The sentences that a text has from a place on, and the place after them. What is begun is left for later. */
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

/** Characters of a sentence that are read out. */
const longest = 1000;

/** A piece of Markdown without its signs, as it is read out. What is hidden in it is heard too. */
export function toSpeech(markdown: string): string {
  return showHiddenInDocument(markdown)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(?:[#>]+|[-*+]|\d+\.)\s+/gm, "")
    .replace(/[*_`~|]+/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest);
}
