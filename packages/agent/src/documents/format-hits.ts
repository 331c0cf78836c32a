import type { Hit } from "@bridle/documents";
import type { ToolOutput } from "@bridle/protocol";

/** What a search found, as the model reads it, and as programs do. Pure. */
export function sayHits(hits: readonly Hit[], notes: readonly string[]): ToolOutput {
  const parts = hits.length === 0 ? ["Nothing was found."] : hits.map(sayHit);
  const note =
    notes.length === 0
      ? []
      : [`Not searched, tell the user if it matters:\n${notes.map((each) => `- ${each}`).join("\n")}`];
  return {
    markdown: [...parts, ...note].join("\n\n---\n\n"),
    structured: { hits: hits.map(toStructured), ...(notes.length > 0 && { notes }) },
  };
}

function sayHit(hit: Hit, index: number): string {
  const under = hit.headings.length > 0 ? `\nUnder: ${hit.headings.join(" > ")}` : "";
  return `[${index + 1}] ${sayPlace(hit)} (score ${hit.score.toFixed(2)})${under}\n\n${hit.text}`;
}

/** Where a part stands, as editors link it. */
export function sayPlace({ file, lines, page }: Pick<Hit, "file" | "lines" | "page">): string {
  if (page !== undefined) return `${file}, page ${page}`;
  if (lines === undefined) return file;
  return `${file}:${lines.from === lines.to ? lines.from : `${lines.from}-${lines.to}`}`;
}

function toStructured({ file, text, headings, lines, page, score }: Hit) {
  return { source: file, text, headings, ...(lines && { lines }), ...(page !== undefined && { page }), score };
}
