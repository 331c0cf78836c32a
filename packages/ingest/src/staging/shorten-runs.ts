/** No word, address or key is as long. Characters. */
const maxRunLength = 20_000;

const isPartOfRun = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_%&#;.\\-")
  isPartOfRun[character.charCodeAt(0)] = 1;

/**
 * Leaves out what is encoded in one run without a blank, such as an image within a page: it says nothing to a reader, and patterns
 * over millions of characters exhaust the stack. Pure. Takes time in proportion to the text.
 */
export function shortenRuns(text: string): string {
  if (text.length < maxRunLength) return text;
  const parts: string[] = [];
  let kept = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (isPartOfRun[text.charCodeAt(at)] === 1) continue;
    if (at - start >= maxRunLength) {
      parts.push(text.slice(kept, start), `[${at - start} encoded characters left out]`);
      kept = at;
    }
    start = at + 1;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept);
}
