import type { Paint } from "./paint.ts";
import { wrap } from "./wrap.ts";

/** The properties of a string's destination: its width and its colours. */
export interface Page {
  /** The number of characters in a line; infinite for a pipe. */
  readonly width: number;
  readonly paint: Paint;
}

/** Formats a time as `2026-11-22 04:01` in the local time zone. */
export function formatMinute(time: string): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace("T", " ");
}

/** Formats labels as `["a=1", "b=2"]`. */
export function formatLabels(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([name, value]) => `${name}=${value}`);
}

/** Returns the lines of a string, indented and wrapped to the width. */
export function indentLines(text: string, indent: string, { width }: Pick<Page, "width">): string[] {
  return text.split("\n").flatMap((line) => wrap(line, width - indent.length).map((each) => (indent + each).trimEnd()));
}
