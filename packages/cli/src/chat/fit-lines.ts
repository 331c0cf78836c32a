import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** Lines of which none is wider than a terminal: it would break the picture. What does not fit is cut. */
export function fitting(lines: readonly string[], width: number): string[] {
  return lines.map((line) => (visibleWidth(line) > width ? truncateToWidth(line, width, "…") : line));
}
