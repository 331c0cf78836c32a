import { type DocumentsStatus, type FoundDocuments, formatSource, type IndexedDocuments } from "@bridle/app/documents";
import { formatFileChanges } from "@bridle/protocol";
import { toPrintable } from "../../terminal/printable.ts";

const maxLines = 20;

export function formatIndexed({ tool, location, ...report }: IndexedDocuments): string {
  const { added, changed, renamed, removed, unchanged, chunks, embedded } = report;
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
    ...problemLines(report),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Lists every file that could not be read, and the first of the other files. */
function problemLines({
  failed,
  skipped,
  warnings,
}: Pick<IndexedDocuments, "failed" | "skipped" | "warnings">): string[] {
  const problemsOf = (files: typeof failed) => files.map(({ problem }) => problem);
  return [
    ...problemsOf(failed).map((problem) => `  failed   ${toPrintable(problem)}`),
    ...listed("skipped", problemsOf(skipped)),
    ...listed("warning", problemsOf(warnings)),
  ];
}

function listed(what: string, names: readonly string[]): string[] {
  const lines = names.slice(0, maxLines).map((name) => `  ${what.padEnd(8)} ${toPrintable(name)}`);
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
  const isEmpty = index?.files === 0 && problemLines(index).length === 0;
  if (index === null || isEmpty)
    return `${tool} (${mode}): not indexed yet. "bridle documents index" or the first search does it.\n`;
  const vectors = index.vectors ? `, vectors of ${index.vectors.model} (${index.vectors.dimensions} dimensions)` : "";
  const counts = `${tool} (${mode}): ${index.files} files, ${index.chunks} parts${vectors} (${location})`;
  return [toPrintable(counts), ...behindLines(index), ...problemLines(index)].map((line) => `${line}\n`).join("");
}

/** Describes what is out of date. Empty if the index is up to date. */
function behindLines({ behind }: NonNullable<DocumentsStatus["index"]>): string[] {
  const changes = formatFileChanges(behind);
  return changes === "" ? [] : [`  behind   ${changes} since: "bridle documents index" or the next search updates it.`];
}
