/** Formats untrusted text in GitHub Markdown, where it must not become markup, mention people or refer to issues. */
import { oneLine, visible } from "./plain-text.ts";

const markup = /[&<>`*_~[\]\\|#@$]/g;

/**
 * Formats one line of text. Characters with a meaning in Markdown become numeric references, which Markdown does not interpret, even in
 * tables. GitHub looks for mentions, issues and addresses after that, so a zero-width space splits them.
 */
export function words(text: string): string {
  return oneLine(text)
    .replaceAll(/([@#])(?=\w)|(:)(?=\/\/)|\b(www)(?=\.)/g, "$&\u200b")
    .replaceAll(markup, (character) => `&#${character.charCodeAt(0)};`);
}

/** Formats a text with its lines, in an element that only its own end tag closes. */
export function block(text: string): string {
  const escaped = visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<pre>${escaped.startsWith("\n") ? "\n" : ""}${escaped}</pre>`;
}

/** Formats a table. Cells are markup on one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Formats a section that can be opened. The blank lines make its content Markdown again. */
export function details(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
