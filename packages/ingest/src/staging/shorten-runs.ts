/** The maximum number of characters of a run. No word, address or key is as long. */
const maxRunLength = 20_000;
/** The minimum number of characters of a line. Encoders break their output into lines of one length, which is at least this. */
const minLineLength = 60;

/** Matches the mark that replaces a part that is left out. */
export const leftOutMark = /\[\d+ encoded characters left out\]/g;

const isPartOfRun = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_%&#;.\\-")
  isPartOfRun[character.charCodeAt(0)] = 1;

/**
 * Leaves out encoded content, such as an image embedded in a page. Such content has no spaces or consists of lines of equal length. It
 * means nothing to a reader, costs tokens, and makes patterns exhaust the stack. Pure. Runs in linear time.
 */
export function shortenRuns(text: string): string {
  if (text.length < maxRunLength) return text;
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const end = endOfRun(text, at);
    if (end - at >= maxRunLength) {
      parts.push(text.slice(kept, at), `[${end - at} encoded characters left out]`);
      kept = end;
    }
    at = Math.max(at, end);
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept);
}

/**
 * Finds the end of a run, which continues while all lines have the length of the second line. The first line may begin after other text.
 */
function endOfRun(text: string, start: number): number {
  let end = endOfLine(text, start);
  let length: number | undefined;
  for (let at = end; end - start >= minLineLength; at = end) {
    const next = text.startsWith("\r\n", at) ? at + 2 : text[at] === "\n" ? at + 1 : undefined;
    if (next === undefined) return end;
    const nextEnd = endOfLine(text, next);
    length ??= nextEnd - next;
    if (nextEnd - next < minLineLength || nextEnd - next !== length) return end;
    end = nextEnd;
  }
  return end;
}

function endOfLine(text: string, start: number): number {
  let at = start;
  while (isPartOfRun[text.charCodeAt(at)] === 1) at += 1;
  return at;
}
