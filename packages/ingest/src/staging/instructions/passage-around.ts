/** Finds the passage that belongs to an instruction. Pure. */

interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Lines that are separate entries: list items, table rows, keys with values, comments in code. */
const entry = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|\||>|#|--|\/\/|\/\*|<!--|["']?[\w$ -]{1,40}["']?\s*:\s)/;

/** A sentence, a comment or a line may begin after one of these. */
const beforeSentence = /[.!?。！？]["'”’)\]]?\s+|[。！？]|\n|--\s|\/\*|\/\/\s|<!--/g;

/**
 * Returns the text from the start of the sentence to the end of the paragraph, or of the entry in a list or table, because the text after
 * an instruction usually belongs to the instruction.
 */
export function passageAround(text: string, { start: found, end }: TextSpan): TextSpan {
  const start = found + (/^\s*/.exec(text.slice(found, end))?.[0].length ?? 0);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const from = sentenceStart(text, lineStart, start);
  const isEntry = [lineStart, from].some((at) => entry.test(text.slice(at, at + 60)));
  return { start: from, end: isEntry ? entryEnd(text, end) : paragraphEnd(text, end) };
}

/** Finds the start of the sentence, which may be on an earlier line of the paragraph. */
function sentenceStart(text: string, lineStart: number, start: number): number {
  const before = text.slice(lineStart, start);
  let from = 0;
  for (const { 0: found, index } of before.matchAll(beforeSentence)) {
    const isComment = /^(?:--|\/[*/]|<!--)/.test(found);
    from = isComment ? index : index + found.length;
  }
  return lineStart + from;
}

/** Finds the end of an entry, which indented lines continue. */
function entryEnd(text: string, end: number): number {
  let lineEnd = text.indexOf("\n", Math.max(0, end - 1));
  while (lineEnd >= 0) {
    const next = text.slice(lineEnd + 1, lineEnd + 61);
    if (!/^[ \t]+\S/.test(next) || entry.test(next)) return lineEnd;
    lineEnd = text.indexOf("\n", lineEnd + 1);
  }
  return text.length;
}

/** The maximum number of characters. Longer paragraphs have other subjects, too. */
const maxRestLength = 1500;

function paragraphEnd(text: string, end: number): number {
  const blank = /\n[ \t]*\n/g;
  blank.lastIndex = Math.max(0, end - 1);
  const paragraph = blank.exec(text)?.index ?? text.length;
  if (paragraph - end <= maxRestLength) return paragraph;
  const rest = text.slice(end, end + maxRestLength);
  const sentence = Math.max(rest.lastIndexOf(". "), rest.lastIndexOf("\n"), rest.lastIndexOf("。"));
  return end + (sentence < 0 ? maxRestLength : sentence + 1);
}
