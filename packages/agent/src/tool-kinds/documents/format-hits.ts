import type { Hit } from "@bridle/documents";
import { omitUndefined, type ToolOutput } from "@bridle/protocol";

/** The result of a search, as text for the model and as data for programs. `notes` are problems of the index. */
export function formatHits(hits: readonly Hit[], notes: readonly string[]): ToolOutput {
  const passages = hits.length === 0 ? ["Nothing was found."] : hits.map(formatHit);
  const skipped =
    notes.length === 0
      ? []
      : [
          `These files were not searched. Mention it to the user if it matters:\n${notes.map((each) => `- ${each}`).join("\n")}`,
        ];
  return {
    markdown: [...passages, ...skipped].join("\n\n---\n\n"),
    structured: omitUndefined({ hits: hits.map(toStructured), notes: notes.length > 0 ? notes : undefined }),
  };
}

function formatHit(hit: Hit, index: number): string {
  const headings = hit.headings.length > 0 ? `\nUnder: ${hit.headings.join(" > ")}` : "";
  return `[${index + 1}] ${formatSource(hit)} (score ${hit.score.toFixed(2)})${headings}\n\n${hit.text}`;
}

/** The file of a passage with its lines or page, as editors link it: `docs/returns.md:3-9`. */
export function formatSource({ file, lines, page }: Pick<Hit, "file" | "lines" | "page">): string {
  if (page !== undefined) return `${file}, page ${page}`;
  if (lines === undefined) return file;
  return `${file}:${lines.from === lines.to ? lines.from : `${lines.from}-${lines.to}`}`;
}

function toStructured({ file, text, headings, lines, page, score }: Hit) {
  return omitUndefined({ source: file, text, headings, lines, page, score });
}
