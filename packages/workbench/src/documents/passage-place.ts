import type { ApiDocumentChunks } from "@bridle/client";

/** `Refunds › Deadlines, lines 3 to 9`, or with pages. */
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

/** Characters of a passage that name it if it has neither lines nor pages. */
const namedBy = 80;

/** The name of a passage in an address: `L3-9`, `p2`, or how it begins. Another person finds it in the same file by that. */
export function passageKey({ lines, page, text }: Passage): string {
  if (lines !== undefined) return `L${lines.from}-${lines.to}`;
  const beginning = text.trim().slice(0, namedBy);
  return page === undefined ? beginning : `p${page} ${beginning}`;
}

/** The passage of a name. After the file has changed, the one that has the first of its lines now. */
export function findPassage<Found extends Passage>(passages: readonly Found[], key: string | null): Found | undefined {
  if (key === null) return undefined;
  const exact = passages.find((passage) => passageKey(passage) === key);
  const line = Number(/^L(\d+)-/.exec(key)?.[1]);
  return exact ?? passages.find(({ lines }) => lines !== undefined && lines.from <= line && line <= lines.to);
}
