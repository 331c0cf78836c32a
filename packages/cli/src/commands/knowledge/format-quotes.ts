import type { CitedQuote } from "@bridle/app/knowledge";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable } from "../../terminal/printable.ts";

/** Formats a quote with its document, as lines. `note` is a remark about the quote. */
export function formatQuote(quote: CitedQuote, page: Page, note = ""): readonly string[] {
  const { source, item, title, location = item, updatedAt, authority } = quote;
  const name = title === location ? location : `${title}, ${location}`;
  const changed = updatedAt === undefined ? "" : `, changed ${updatedAt.slice(0, 10)}`;
  const kind = authority === "document" ? "" : `, ${authority}`;
  return [
    ...indentLines(toPrintable(`← “${quote.quote.replaceAll(/\s+/g, " ").trim()}”`), "    ", page),
    ...indentLines(toPrintable(`${name} (${source}${kind}${changed})${note}`), "      ", page).map((line) =>
      page.paint("dim", line),
    ),
  ];
}
