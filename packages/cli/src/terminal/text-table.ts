import { columnsOf, cutAt, padEnd } from "./columns.ts";
import type { Page } from "./page.ts";
import { toPrintableLine } from "./printable.ts";

const gap = "  ";
/** The minimum width of a column that is cut. */
const narrowest = 8;

/**
 * Formats a table of texts as lines. If the table is too wide, the widest columns are cut. Values come from databases, so hidden characters
 * are shown as escapes, and each row is one line.
 */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[], page: Page): string[] {
  const cells = [head, ...rows].map((row) => head.map((_, column) => toPrintableLine(row[column] ?? "")));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => columnsOf(row[column] ?? ""))));
  shrink(widths, page.width - gap.length * (head.length - 1));
  const [title = "", ...lines] = cells.map((row) =>
    row
      .map((cell, column) => padEnd(cutAt(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
  return [page.paint("dim", title), ...lines];
}

/** Reduces the widest columns until all fit, or until none can be cut further. */
function shrink(widths: number[], room: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) return;
    const at = widths.indexOf(widest);
    const next = Math.max(narrowest, ...widths.filter((width) => width < widest));
    const taken = Math.min(excess, widest - next || 1);
    widths[at] = widest - taken;
    excess -= taken;
  }
}
