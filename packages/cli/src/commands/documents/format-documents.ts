import { type DocumentsStatus, type FoundDocuments, formatSource, type IndexedDocuments } from "@bridle/app/documents";
import { toPrintable } from "../../terminal/printable.ts";

const mostLines = 20;

export function formatIndexed({ tool, location, ...report }: IndexedDocuments): string {
  const { added, changed, renamed, removed, failed, unchanged, chunks, embedded } = report;
  const counts = [
    `${unchanged} unchanged`,
    `${chunks} parts written`,
    ...(embedded > 0 ? [`${embedded} embedded`] : []),
  ];
  return [
    `${tool}: ${counts.join(", ")} (${location})`,
    ...listed("added", added),
    ...listed("changed", changed),
    ...listed(
      "renamed",
      renamed.map(({ from, to }) => `${from} to ${to}`),
    ),
    ...listed("removed", removed),
    ...failed.map(({ problem }) => `  failed   ${toPrintable(problem)}`),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function listed(what: string, names: readonly string[]): string[] {
  const lines = names.slice(0, mostLines).map((name) => `  ${what.padEnd(8)} ${toPrintable(name)}`);
  const more = names.length - lines.length;
  return more > 0 ? [...lines, `  ${what.padEnd(8)} and ${more} more`] : lines;
}

export function formatFound({ tool, mode, hits }: FoundDocuments): string {
  if (hits.length === 0) return `${tool} (${mode}): no results.\n`;
  return [`${tool} (${mode}):`, ...hits.map(formatHit)].map((text) => `${text}\n`).join("\n");
}

function formatHit(hit: FoundDocuments["hits"][number]): string {
  const under = hit.headings.length > 0 ? `  ${hit.headings.join(" > ")}` : "";
  const text = hit.text
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
  return toPrintable(`${hit.score.toFixed(2)}  ${formatSource(hit)}${under}\n${text}`);
}

export function formatIndexStatus({ tool, location, mode, index }: DocumentsStatus): string {
  if (index === null)
    return `${tool} (${mode}): not indexed yet. "bridle documents index" or the first search does it.\n`;
  const vectors = index.vectors ? `, vectors of ${index.vectors.model} (${index.vectors.dimensions} dimensions)` : "";
  return toPrintable(`${tool} (${mode}): ${index.files} files, ${index.chunks} parts${vectors} (${location})\n`);
}
