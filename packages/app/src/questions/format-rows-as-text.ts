import type { ComparedRows } from "@bridle/context";

const shownRows = 10;

/** Formats the first rows as text, one per line. */
export function formatRowsAsText({ rows }: ComparedRows): string {
  if (rows.length === 0) return "no rows";
  const lines = rows.slice(0, shownRows).map((row) => row.map(formatValue).join(" | "));
  const more = rows.length > shownRows ? [`and ${rows.length - shownRows} more`] : [];
  return [...lines, ...more].join("\n");
}

function formatValue(value: ComparedRows["rows"][number][number]): string {
  if (value === null) return "NULL";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
