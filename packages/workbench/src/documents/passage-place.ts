import type { ApiDocumentChunks } from "@bridle/client";

/** Describes a passage's position: `Refunds › Deadlines, lines 3 to 9`, or with pages. */
export function describePlace({
  headings,
  lines,
  page,
  lastPage,
}: Pick<ApiDocumentChunks["chunks"][number], "headings" | "lines" | "page" | "lastPage">): string {
  const pages = page === lastPage || lastPage === undefined ? `page ${page}` : `pages ${page} to ${lastPage}`;
  const place = page === undefined ? lines && `lines ${lines.from} to ${lines.to}` : pages;
  return [headings.join(" › "), place].filter(Boolean).join(", ");
}

type Passage = Pick<ApiDocumentChunks["chunks"][number], "lines" | "page" | "text">;

/** How many characters identify a passage without lines and pages. */
const namedBy = 80;

/**
 * Returns the key of a passage in a URL: `L3-9`, `p2`, or the passage's beginning. With it, other users find the passage in the same file.
 */
export function passageKey({ lines, page, text }: Passage): string {
  if (lines !== undefined) return `L${lines.from}-${lines.to}`;
  const beginning = text.trim().slice(0, namedBy);
  return page === undefined ? beginning : `p${page} ${beginning}`;
}

/** Finds the passage for a key. If the file has changed, finds the passage that now contains the first line of the original. */
export function findPassage<Found extends Passage>(passages: readonly Found[], key: string | null): Found | undefined {
  if (key === null) return undefined;
  const exact = passages.find((passage) => passageKey(passage) === key);
  const line = Number(/^L(\d+)-/.exec(key)?.[1]);
  return exact ?? passages.find(({ lines }) => lines !== undefined && lines.from <= line && line <= lines.to);
}
