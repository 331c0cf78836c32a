import { columnsOf, cutAt, padEnd, padStart } from "../terminal/columns.ts";
import type { Page } from "../terminal/page.ts";

const gap = "  ";
/** The minimum width of a name, for terminals that are too narrow. */
const narrowest = 10;

/** Formats a table: names on the left, shortened if necessary, and figures on the right. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[], page: Page): string[] {
  const [, ...figures] = head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthAt(row, column))));
  const taken = figures.reduce((sum, width) => sum + width + gap.length, 0);
  const longest = Math.max(...[head, ...rows].map((row) => widthAt(row, 0)));
  const room = Math.max(narrowest, Math.min(longest, page.width - taken));
  const line = ([name = "", ...cells]: readonly string[]) =>
    [padEnd(cutAt(name, room), room), ...cells.map((cell, index) => padStart(cell, figures[index] ?? 0))]
      .join(gap)
      .trimEnd();
  return [page.paint("dim", line(head)), ...rows.map(line)];
}

function widthAt(row: readonly string[], column: number): number {
  return columnsOf(row[column] ?? "");
}
