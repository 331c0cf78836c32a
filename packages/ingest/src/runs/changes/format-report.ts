/** Formats a report as Markdown and as HTML. Text from documents is escaped. Pure. */
import { showHidden } from "@bridle/protocol";
import { escapeMarkdown } from "../../rendering/markdown-text.ts";
import type { IngestReport } from "./report-schema.ts";
import { type ReportSection, type ReportTable, reportSections } from "./report-sections.ts";

const title = "Ingest report";

export function formatReportMarkdown(report: IngestReport): string {
  return [`# ${title}`, ...reportSections(report).flatMap(toMarkdown)].join("\n\n").concat("\n");
}

function toMarkdown({ title: heading, lines, table }: ReportSection): readonly string[] {
  const list = lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n");
  return [
    `## ${heading}`,
    ...(list === "" ? [] : [list]),
    ...(table === undefined || table.rows.length === 0 ? [] : [markdownTable(table)]),
  ];
}

function markdownTable({ head, rows }: ReportTable): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escapeMarkdown(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => " --- |").join("")}`, ...rows.map(line)].join("\n");
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;width:100%;margin:.5rem 0 2rem}th,td{border:1px solid #ccc;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#16181c}th,td{border-color:#444}}`;

/** Formats the report as a single page without scripts and external content. */
export function formatReportHtml(report: IngestReport): string {
  const body = reportSections(report).map(toHtml).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;
}

function toHtml({ title: heading, lines, table }: ReportSection): string {
  const list = lines.length === 0 ? "" : `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;
  return `<h2>${escapeHtml(heading)}</h2>\n${list}${table === undefined || table.rows.length === 0 ? "" : htmlTable(table)}`;
}

function htmlTable({ head, rows }: ReportTable): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  return `<table>\n<thead>${row(head, "th")}</thead>\n<tbody>\n${rows.map((cells) => row(cells, "td")).join("\n")}\n</tbody>\n</table>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return showHidden(text.replaceAll(/\s+/g, " ")).replaceAll(
    /[&<>"']/g,
    (character) => entities[character] ?? character,
  );
}
