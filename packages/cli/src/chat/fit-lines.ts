import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** Cuts lines that are wider than the terminal, because they would break the layout. */
export function fitLines(lines: readonly string[], width: number): string[] {
  return lines.map((line) => (visibleWidth(line) > width ? truncateToWidth(line, width, "…") : line));
}
