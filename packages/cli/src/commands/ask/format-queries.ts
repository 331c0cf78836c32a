import type { AskedQuery } from "@bridle/app/warehouses";
import { counted } from "@bridle/protocol";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable } from "../../terminal/printable.ts";

/** The statements of an answer, so that a person can check it. */
export function formatQueries(queries: readonly AskedQuery[], page: Page): string {
  const sources = queries.filter(({ ok }) => ok);
  if (sources.length === 0)
    return `\n${page.paint("dim", "No statement was run for this answer, so it is not based on the data.")}\n`;
  return sources.map((query) => `\n${formatQuery(query, page)}`).join("");
}

function formatQuery({ connection, sql, rows, tables = [] }: AskedQuery, page: Page): string {
  const title = `SQL on ${connection}${tables.length > 0 ? `, from ${tables.join(", ")}` : ""}${rows === undefined ? "" : ` (${counted(rows, "row")})`}:`;
  const lines = [
    ...indentLines(toPrintable(title), "", page).map((line) => page.paint("dim", line)),
    ...indentLines(toPrintable(sql), "  ", page),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
