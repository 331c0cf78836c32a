import type { Check } from "@bridle/project";
import type { createPaint } from "../run/paint.ts";

/** The checks for people: a mark, what was found, and the remedy under each that failed. */
export function formatChecks(checks: readonly Check[], paint: ReturnType<typeof createPaint>): string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  return checks.map((check) => formatCheck(check, width, paint)).join("");
}

function formatCheck(
  { title, ok, detail, remedy }: Check,
  width: number,
  paint: ReturnType<typeof createPaint>,
): string {
  const mark = ok === "skipped" ? paint("dim", "-") : ok ? paint("green", "✓") : paint("red", "✗");
  const indent = " ".repeat(width + 4);
  const lines = [...detail.split("\n"), ...(remedy === undefined ? [] : [`→ ${remedy}`])];
  return `${mark} ${title.padEnd(width)}  ${lines.join(`\n${indent}`)}\n`;
}
