import { leftOutMark, shortenRuns } from "./shorten-runs.ts";

/** The minimum number of characters. Shorter texts may be a list or a table of a few words. */
const minTextLength = 20_000;
const minWords = 20;

/**
 * Explains why a long text has no readable content, for example because it repeats one letter; undefined if it may be meaningful. Ignores
 * encoded parts, so that a page with an embedded image and a few words is read. Pure.
 */
export function explainWordless(text: string): string | undefined {
  if (text.length < minTextLength) return undefined;
  const rest = shortenRuns(text).replaceAll(leftOutMark, "");
  const words = new Set<string>();
  for (const [word] of rest.matchAll(/[\p{L}\p{N}]{1,40}/gu)) {
    words.add(word);
    if (words.size >= minWords || rest.length < minTextLength) return undefined;
  }
  const shown = words.size === 0 ? "no words" : `only ${words.size} different word${words.size === 1 ? "" : "s"}`;
  return `It has ${text.length.toLocaleString("en")} characters, but ${shown}. Correct it, or leave it out of the source.`;
}
