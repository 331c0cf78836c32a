import { toPrintable } from "./printable.ts";
import { wrap } from "./wrap.ts";

/** A title of `indent` columns, and beside it a text of one or more lines. No line of the text can begin where a title does. */
export function formatTitledRow(title: string, text: string, columns: number, indent: number): string {
  const lines = toPrintable(text)
    .split("\n")
    .flatMap((line) => wrap(line, columns - indent));
  return `${title.padEnd(indent)}${lines.join(`\n${" ".repeat(indent)}`)}\n`;
}
