import { wrap } from "./wrap.ts";
import { type Colour } from "./paint.ts";

/** Where the text goes. */
export interface Page {
  /** Characters of a line; endless where nobody sees lines. */
  readonly width: number;
  paint(colour: Colour, text: string): string;
}

/** `2026-11-22 04:01`, where the reader is. */
export function formatMinute(time: string): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace("T", " ");
}

/** `a=1 b=2`, or nothing. */
export function labelWords(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([name, value]) => `${name}=${value}`);
}

/** Lines of a text, each behind the indent and within the width. */
export function indented(text: string, indent: string, { width }: Pick<Page, "width">): string[] {
  return text.split("\n").flatMap((line) => wrap(line, width - indent.length).map((each) => (indent + each).trimEnd()));
}
