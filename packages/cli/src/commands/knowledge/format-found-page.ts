import type { FoundPages } from "@bridle/app/knowledge";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable, toPrintableLine } from "../../terminal/printable.ts";

/** The maximum length of a section's excerpt in a list. */
const maxChars = 400;

/** Formats a found page in a list: its name, its title, and the section that matches best. */
export function formatFoundPage(
  { page: name, title, section, text, isDisputed }: FoundPages["pages"][number],
  page: Page,
): string {
  const about = section === undefined ? title : `${title} › ${section}`;
  const head = `${page.paint("bold", toPrintableLine(name))}  ${toPrintableLine(about)}${isDisputed ? "  (disputed)" : ""}`;
  const cut = text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text;
  return `${[head, ...indentLines(toPrintable(cut), "  ", page)].join("\n")}\n`;
}
