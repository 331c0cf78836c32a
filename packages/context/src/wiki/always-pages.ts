/** Adds pages with `use: always` to the instructions of every agent. */
import { estimateReplyTokens } from "../replies/estimate-tokens.ts";
import { asLine, fenceLines } from "../replies/reply.ts";
import type { ContextPage } from "./context-page.ts";
import { partsOfPage } from "./page-lines.ts";

/** The maximum number of tokens of all these pages together. */
const alwaysTokens = 2000;

/** Returns the texts of the pages, sorted by name; empty without pages. If the text of a page does not fit, lists only its name. */
export function alwaysInstructions(pages: readonly ContextPage[], tokens = alwaysTokens): string {
  const wanted = pages.filter(({ use }) => use === "always");
  const lines: string[] = [];
  const named: string[] = [];
  let left = tokens;
  for (const page of wanted) {
    const own = [`page ${asLine(page.slug, 200)} (${asLine(page.title, 120)}):`, ...linesOf(page)];
    const cost = estimateReplyTokens(own.join("\n")) + own.length;
    if (cost > left) named.push(asLine(page.slug, 200));
    else {
      left -= cost;
      lines.push(...own);
    }
  }
  const texts = lines.length === 0 ? "" : `These pages matter for every question:\n\n${fenceLines(lines)}`;
  const rest = named.length === 0 ? "" : `Read these pages with read_page before you answer:\n\n${fenceLines(named)}`;
  return [texts, rest].filter(Boolean).join("\n\n");
}

function linesOf({ body }: ContextPage): readonly string[] {
  return Array.from(partsOfPage(body.trim(), 0), ({ text }) => text);
}
