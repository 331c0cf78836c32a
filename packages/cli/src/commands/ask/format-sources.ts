import type { AnsweredQuestion, AskedQuery } from "@bridle/app/warehouses";
import { counted } from "@bridle/protocol";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable } from "../../terminal/printable.ts";

/** What an answer is based on, so that a person can check it: its statements, and what the tables are said to be. */
export function formatSources(
  { queries, isBasedOnData, definitions }: Pick<AnsweredQuestion, "queries" | "isBasedOnData" | "definitions">,
  page: Page,
): string {
  if (!isBasedOnData) {
    const sentence = "No statement read a table for this answer, so it is not based on the data.";
    return `\n${toLines(sentence, "", page, "dim")}`;
  }
  const read = queries.filter(({ ok }) => ok).map((query) => `\n${formatQuery(query, page)}`);
  const defined = definitions.map(({ table, text, source }) => toLines(`${table}: ${text} (${source})`, "  ", page));
  const title = definitions.length > 0 ? `\n${toLines("Definitions of these tables:", "", page, "dim")}` : "";
  return [...read, title, ...defined].join("");
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
