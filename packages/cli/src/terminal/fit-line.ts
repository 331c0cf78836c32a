import { cutAt } from "./columns.ts";
import { toPrintable } from "./printable.ts";

/** A text of a model, a tool or a user on one line of at most `columns`. Runs of white space become one blank. */
export function fitLine(text: string, columns: number): string {
  const beginning = columns === Number.POSITIVE_INFINITY ? text : text.slice(0, columns * 4);
  return cutAt(toPrintable(beginning).replace(/\s+/g, " ").trimEnd(), columns);
}
