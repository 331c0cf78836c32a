import type { Check } from "@bridle/project";
import { harmless } from "../run/harmless.ts";
import type { createPaint } from "../run/paint.ts";
import { wrap } from "./wrap.ts";

/** The checks for people: a mark, what was found, and the remedy under each that failed. */
export function formatChecks(
  checks: readonly Check[],
  paint: ReturnType<typeof createPaint>,
  columns = Number.POSITIVE_INFINITY,
): string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  return checks.map((check) => formatCheck(check, width, columns, paint)).join("");
}

function formatCheck(
  { title, ok, detail, remedy }: Check,
  width: number,
  columns: number,
  paint: ReturnType<typeof createPaint>,
): string {
  const mark = ok === "skipped" ? paint("dim", "-") : ok ? paint("green", "✓") : paint("red", "✗");
  const indent = " ".repeat(width + 4);
  const texts = [...harmless(detail).split("\n"), ...(remedy === undefined ? [] : [`→ ${harmless(remedy)}`])];
  const lines = texts.flatMap((text) => wrap(text, columns - indent.length));
  return `${mark} ${title.padEnd(width)}  ${lines.join(`\n${indent}`)}\n`;
}
