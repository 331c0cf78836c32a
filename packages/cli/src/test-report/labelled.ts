import { indentLines, type Page } from "../terminal/page.ts";
import type { Colour } from "../terminal/paint.ts";
import { toPrintable } from "../terminal/printable.ts";

const margin = "  ";
/** The width of the longest label and the gap after it. */
const column = "answered  ".length;
/** The maximum size of a string that is shown in full. */
const max = { lines: 6, characters: 300 } as const;

/** Formats a text after its label, shortened if it is long. Further lines are aligned with the first. */
export function labelledLines(label: string, text: string, page: Page, colour?: Colour): string[] {
  const indent = margin + " ".repeat(column);
  const [first = "", ...rest] = indentLines(shorten(text), indent, page);
  const paint = (line: string) => (colour === undefined ? line : page.paint(colour, line));
  const title = page.paint("dim", label.padEnd(column));
  return [`${margin}${title}${paint(first.slice(indent.length))}`.trimEnd(), ...rest.map(paint)];
}

/** Formats lines for copying, without shortening or wrapping. */
export function labelledWhole(label: string, lines: readonly string[], page: Page): string[] {
  return lines.map((line, index) => `${margin}${page.paint("dim", (index === 0 ? label : "").padEnd(column))}${line}`);
}

function shorten(text: string): string {
  const lines = toPrintable(text).trim().split("\n");
  const kept = lines.slice(0, max.lines).join("\n");
  const characters = [...kept];
  if (characters.length > max.characters) return `${characters.slice(0, max.characters).join("").trimEnd()}…`;
  return lines.length > max.lines ? `${kept.trimEnd()}…` : kept;
}

/** How long a common beginning may be. Longer ones are left out. */
const longestAlike = 60;
/** How many characters before the first difference are shown as context. */
const context = 20;

/** Returns two strings from shortly before their first difference, if they share a long beginning. */
export function fromDifference(expected: string, received: string): readonly [expected: string, received: string] {
  let at = 0;
  while (at < expected.length && expected[at] === received[at]) at += 1;
  if (at <= longestAlike || at === expected.length) return [expected, received];
  return [`…${expected.slice(at - context)}`, `…${received.slice(at - context)}`];
}
