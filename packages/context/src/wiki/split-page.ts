/** Splits a page's text into its two parts. Pure. */

export interface SplitPage {
  /** The YAML between the lines of `---`; undefined if the page has none. */
  readonly front: string | undefined;
  /** The text after the front matter, with line feeds only. */
  readonly body: string;
  /** The line where the body begins, from 1. */
  readonly bodyLine: number;
  /** Whether a front matter begins but does not end. In that case, the whole text is the body. */
  readonly isOpen: boolean;
}

/** Splits a page. A front matter begins on the first line. */
export function splitPage(text: string): SplitPage {
  const lines = text
    .replace(/^\ufeff/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split("\n");
  const whole = { front: undefined, body: lines.join("\n"), bodyLine: 1 };
  if (!isBorder(lines[0])) return { ...whole, isOpen: false };
  const end = lines.findIndex((line, index) => index > 0 && isBorder(line));
  if (end < 0) return { ...whole, isOpen: true };
  const front = lines.slice(1, end).map((line) => `${line}\n`);
  return { front: front.join(""), body: lines.slice(end + 1).join("\n"), bodyLine: end + 2, isOpen: false };
}

function isBorder(line: string | undefined): boolean {
  return /^---[ \t]*$/.test(line ?? "");
}
