/** Finds the title of a page that does not define one. */
import { posix } from "node:path";

const maxChars = 200;

/** Returns a text as a one-line title. */
export function toTitle(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1).trimEnd()}…` : line;
}

/**
 * Returns the heading at the beginning of a text; undefined if the text begins with something else. A later heading is not the title,
 * because it covers only a part of the text.
 */
export function firstHeading(text: string): string | undefined {
  const [, title] = /^\s*#{1,3}[ \t]+(.{1,400})/.exec(text.slice(0, 4_000)) ?? [];
  const clean = title?.replace(/[ \t]+#+[ \t]*$/, "").trim();
  return clean === undefined || clean === "" ? undefined : toTitle(clean);
}

/** Returns a file name without its extension, with spaces instead of dashes. */
export function titleOfFile(id: string): string {
  const stem = posix.basename(id).replace(/\.[^.]+$/, "");
  return toTitle(stem.replaceAll(/[-_]+/g, " ")) || id;
}
