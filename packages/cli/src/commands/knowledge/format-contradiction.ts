import type { ListedContradictions } from "@bridle/app/knowledge";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable, toPrintableLine } from "../../terminal/printable.ts";
import { formatQuote } from "./format-quotes.ts";

export type ListedContradiction = ListedContradictions["contradictions"][number];

/** Formats all sides of a contradiction with their quotes. `labels` name the sides. */
export function formatContradiction(
  { claims, reason, pages, isDecidable }: ListedContradiction,
  labels: readonly string[],
  page: Page,
): string {
  const where = pages.length === 0 ? "" : `On ${pages.length === 1 ? "page" : "the pages"} ${pages.join(", ")}. `;
  const about = `${where}${reason ?? "These contradict each other."}`;
  const remedy = "You cannot choose here. Correct the document or the file that is wrong, and ingest again.";
  const sides = claims.flatMap(({ text, sources }, index) => {
    const label = page.paint("bold", toPrintableLine(labels[index] ?? ""));
    const [first = "", ...more] = indentLines(toPrintable(text), "  ", page);
    return [`${label}${first}`, ...more, ...sources.flatMap((source) => formatQuote(source, page))];
  });
  return [...indentLines(toPrintable(about), "", page), ...sides, ...(isDecidable ? [] : indentLines(remedy, "", page))]
    .map((line) => `${line}\n`)
    .join("");
}
