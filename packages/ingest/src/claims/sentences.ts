/** Splits a text into parts that stand alone: sentences, list lines, table cells. Pure. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?]["'”’)\]]?)\s+|(?<=[。！？])|\n+|\s\|\s/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Returns the whole sentence around a span, because a quote may omit words that show doubt. */
export function sentenceAround(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const before = text.slice(Math.max(0, start - 600), start);
  const after = text.slice(end, end + 600);
  const from = Math.max(
    ...[...before.matchAll(/[.!?]["'”’)\]]?\s+|[。！？]|\n/gu)].map(({ 0: { length }, index }) => index + length),
    0,
  );
  const isEnded = /[.!?。！？]["'”’)\]]?\s*$/u.test(text.slice(start, end));
  const to = isEnded ? 0 : (/[.!?](?:\s|$)|[。！？]|\n/u.exec(after)?.index ?? after.length);
  return before.slice(from) + text.slice(start, end) + after.slice(0, to);
}
