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
