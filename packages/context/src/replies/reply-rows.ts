import type { StructuredValue } from "@bridle/warehouse";
import { asLine, type FencedReply } from "./reply.ts";

interface TableRows {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly StructuredValue[])[];
}

/** Adds as many rows as fit, as a table. Returns the number of rows added. */
export function addRows(reply: FencedReply, { columns, rows }: TableRows): number {
  const head = columns.map(({ name }) => toCell(name));
  if (!reply.add(`| ${head.join(" | ")} |`) || !reply.add(`|${" --- |".repeat(head.length)}`)) return 0;
  let shown = 0;
  for (const row of rows) {
    if (!reply.add(`| ${row.map((value) => toCell(formatValue(value))).join(" | ")} |`)) break;
    shown += 1;
  }
  return shown;
}

function formatValue(value: StructuredValue): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function toCell(text: string): string {
  return text === "" ? "''" : asLine(text, 200).replaceAll("|", "\\|");
}
