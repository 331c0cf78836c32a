import { printable } from "../terminal/printable.ts";
import { type Colour } from "../terminal/paint.ts";
import { indented, type Page } from "../terminal/page.ts";

const margin = "  ";
/** As wide as the longest label, and a gap. */
const column = "answered  ".length;
/** Of a text that was cut somewhere else it is the whole that is kept. */
const most = { lines: 6, characters: 300 } as const;

/** A text behind what it is, cut where it is long; further lines stand below its first. */
export function labelled(label: string, text: string, page: Page, colour?: Colour): string[] {
  const indent = margin + " ".repeat(column);
  const [first = "", ...rest] = indented(shortened(text), indent, page);
  const paint = (line: string) => (colour === undefined ? line : page.paint(colour, line));
  const title = page.paint("dim", label.padEnd(column));
  return [`${margin}${title}${paint(first.slice(indent.length))}`.trimEnd(), ...rest.map(paint)];
}

/** Lines to be copied: whole, whatever the width. */
export function labelledWhole(label: string, lines: readonly string[], page: Page): string[] {
  return lines.map((line, index) => `${margin}${page.paint("dim", (index === 0 ? label : "").padEnd(column))}${line}`);
}

function shortened(text: string): string {
  const lines = printable(text).trim().split("\n");
  const kept = lines.slice(0, most.lines).join("\n");
  const characters = [...kept];
  if (characters.length > most.characters) return `${characters.slice(0, most.characters).join("").trimEnd()}…`;
  return lines.length > most.lines ? `${kept.trimEnd()}…` : kept;
}

/** Characters of two texts that are alike, before it is worth to leave most of them out. */
const longestAlike = 60;
/** Characters before the first difference that stay, so that one sees where it is. */
const context = 20;

/** Two texts from shortly before they differ on, where that is far from their beginning. */
export function fromDifference(expected: string, received: string): readonly [expected: string, received: string] {
  let at = 0;
  while (at < expected.length && expected[at] === received[at]) at += 1;
  if (at <= longestAlike || at === expected.length) return [expected, received];
  return [`…${expected.slice(at - context)}`, `…${received.slice(at - context)}`];
}
