import type { AnsweredQuestion, AskedQuery, PageOfAnswer } from "@bridle/app/warehouses";
import { counted } from "@bridle/protocol";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable } from "../../terminal/printable.ts";

/** Formats the sources of an answer so that the user can check it: its statements, and the definitions of the tables. */
export function formatSources(
  {
    queries,
    isBasedOnData,
    definitions,
    pages,
  }: Pick<AnsweredQuestion, "queries" | "isBasedOnData" | "definitions" | "pages">,
  page: Page,
): string {
  if (!isBasedOnData) {
    const reason = pages.length > 0 ? "but on pages" : "so it is not based on the data";
    const sentence = `No statement read a table for this answer, ${reason}.`;
    return `\n${toLines(sentence, "", page, "dim")}${formatPages(pages, page)}`;
  }
  const read = queries.filter(({ ok }) => ok).map((query) => `\n${formatQuery(query, page)}`);
  const defined = definitions.map(({ table, text, source }) => toLines(`${table}: ${text} (${source})`, "  ", page));
  const title = definitions.length > 0 ? `\n${toLines("Definitions of these tables:", "", page, "dim")}` : "";
  return [...read, title, ...defined, formatPages(pages, page)].join("");
}

/** Formats the pages that were read, each with its documents. */
function formatPages(pages: readonly PageOfAnswer[], page: Page): string {
  const lines = pages.flatMap(({ page: name, title, sources }) => [
    toLines(`${name} (${title})`, "  ", page),
    ...sources.map(({ source, item, title: document, updated }) => {
      const changed = updated === undefined ? "" : `, changed ${updated}`;
      return toLines(`← ${document === undefined ? item : `${document}, ${item}`} (${source}${changed})`, "    ", page);
    }),
  ]);
  return lines.length === 0 ? "" : `\n${toLines("Pages that were read:", "", page, "dim")}${lines.join("")}`;
}

function formatQuery({ connection, sql, rows, tables = [] }: AskedQuery, page: Page): string {
  const from = tables.length > 0 ? `, from ${tables.join(", ")}` : "";
  const title = `SQL on ${connection}${from}${rows === undefined ? "" : ` (${counted(rows, "row")})`}:`;
  return toLines(title, "", page, "dim") + toLines(sql, "  ", page);
}

function toLines(text: string, indent: string, page: Page, style?: "dim"): string {
  const lines = indentLines(toPrintable(text), indent, page);
  return lines.map((line) => `${style === undefined ? line : page.paint(style, line)}\n`).join("");
}
