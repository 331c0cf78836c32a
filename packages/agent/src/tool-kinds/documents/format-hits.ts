import type { Hit } from "@bridle/documents";
import { omitUndefined, type ToolOutput } from "@bridle/protocol";

/** Formats the result of a search, as text for the model and as data for programs. `notes` are problems of the index. */
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

/** Names the file of a passage, with its lines in the form that editors link, `docs/returns.md:3-9`, or with its pages, slides or rows. */
export function formatSource({
  file,
  lines,
  page,
  lastPage,
}: Pick<Hit, "file" | "lines" | "page" | "lastPage">): string {
  if (page !== undefined)
    return `${file}, ${formatRange(/\.pptx$/i.test(file) ? "slide" : "page", page, lastPage ?? page)}`;
  if (lines === undefined) return file;
  const { from, to } = lines;
  if (/\.xlsx$/i.test(file)) return `${file}, ${formatRange("row", from, to)}`;
  return `${file}:${from === to ? from : `${from}-${to}`}`;
}

function formatRange(unit: string, from: number, to: number): string {
  return from === to ? `${unit} ${from}` : `${unit}s ${from}-${to}`;
}

function toStructured({ file, text, headings, lines, page, lastPage, score }: Hit) {
  return omitUndefined({ source: file, text, headings, lines, page, lastPage, score });
}
