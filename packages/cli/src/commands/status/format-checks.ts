import type { Check } from "@bridle/app/status";
import type { Paint } from "../../terminal/paint.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { wrap } from "../../terminal/wrap.ts";

/** Formats the checks as text: a mark and the finding, followed by the remedy for each failure and warning. */
export function formatChecks(checks: readonly Check[], paint: Paint, columns = Number.POSITIVE_INFINITY): string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  return checks.map((check) => formatCheck(check, width, columns, paint)).join("");
}

function formatCheck(check: Check, width: number, columns: number, paint: Paint): string {
  const { title, detail, remedy } = check;
  const indent = " ".repeat(width + 4);
  const texts = [...toPrintable(detail).split("\n"), ...(remedy === undefined ? [] : [`→ ${toPrintable(remedy)}`])];
  const lines = texts.flatMap((text) => wrap(text, columns - indent.length));
  return `${markOf(check, paint)} ${title.padEnd(width)}  ${lines.join(`\n${indent}`)}\n`;
}

/** Whether a check is a warning: it succeeded, but has a remedy. */
function markOf({ ok, remedy }: Check, paint: Paint): string {
  if (ok === "skipped") return paint("dim", "-");
  if (!ok) return paint("red", "✗");
  return remedy === undefined ? paint("green", "✓") : paint("yellow", "!");
}
