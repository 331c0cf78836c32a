import { toPrintable } from "./printable.ts";
import { wrap } from "./wrap.ts";

/**
 * Formats a title padded to `indent` columns, followed by a text of one or more lines. No line of the text can start in the title's column.
 */
export function formatTitledRow(title: string, text: string, columns: number, indent: number): string {
  const lines = toPrintable(text)
    .split("\n")
    .flatMap((line) => wrap(line, columns - indent));
  return `${title.padEnd(indent)}${lines.join(`\n${" ".repeat(indent)}`)}\n`;
}
