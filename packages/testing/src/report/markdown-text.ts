/** Texts of others in GitHub's Markdown, where they must not be markup, mention people, or refer to issues. */
import { oneLine, visible } from "./plain-text.ts";

const markup = /[&<>`*_~[\]\\|#@$]/g;

/**
 * One line of words. What could be markup is a numeric reference, which no rule of Markdown looks at, in tables neither.
 * Mentions, issues and addresses are found after that, so a space of no width breaks them.
 */
export function words(text: string): string {
  return oneLine(text)
    .replaceAll(/([@#])(?=\w)|(:)(?=\/\/)|\b(www)(?=\.)/g, "$&\u200b")
    .replaceAll(markup, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text with its lines. Nothing in it ends a block of this kind but its own end. */
export function block(text: string): string {
  const escaped = visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<pre>${escaped.startsWith("\n") ? "\n" : ""}${escaped}</pre>`;
}

/** A table; cells are markup already, on one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The blank lines let what is inside be Markdown again. */
export function details(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
