import { cutAt } from "./columns.ts";
import { toPrintable } from "./printable.ts";

/** Fits a text of a model, a tool or a user onto one line of at most `columns`. Runs of white space become one space. */
export function fitLine(text: string, columns: number): string {
  const beginning = columns === Number.POSITIVE_INFINITY ? text : text.slice(0, columns * 4);
  return cutAt(toPrintable(beginning).replace(/\s+/g, " ").trimEnd(), columns);
}
