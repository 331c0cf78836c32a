import type { ListedFact } from "@bridle/app/knowledge";
import { formatMinute, indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable, toPrintableLine } from "../../terminal/printable.ts";

/** Formats a fact in a list: its id, author and time, and the text. */
export function formatFact({ id, scope, text, by, at, captured }: ListedFact, page: Page): string {
  const confirmed = captured ? ["not confirmed"] : [];
  const who = [formatMinute(at), ...(by === undefined ? [] : [`by ${by}`]), scope, ...confirmed];
  const head = `${page.paint("bold", toPrintableLine(id))}  ${toPrintableLine(who.join(", "))}`;
  return `${[head, ...indentLines(toPrintable(text), "  ", page)].join("\n")}\n`;
}

/** Formats a fact with its statements and their pages. */
export function formatWholeFact(fact: ListedFact, page: Page): string {
  const lines = fact.statements.flatMap(({ statement, topic, since }) => {
    const about = [`page ${topic}`, ...(since === undefined ? [] : [`since ${since}`])].join(", ");
    return indentLines(toPrintable(`- ${statement} (${about})`), "  ", page);
  });
  const session = fact.session === undefined ? [] : indentLines(toPrintable(`said in ${fact.session}`), "  ", page);
  return `${formatFact(fact, page)}${[...lines, ...session].map((line) => `${line}\n`).join("")}`;
}
