import { showHiddenInDocument, showHiddenInJson } from "@bridle/protocol";

/**
 * Quotes untrusted text in Markdown: each line begins with `>`, so that no line can look like a line of the bundle, and hidden characters
 * are escaped.
 */
export function quote(text: string): string {
  return showHiddenInDocument(text)
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Includes an untrusted string in a line of the bundle. Line breaks are replaced with spaces. */
export function inline(text: string): string {
  return showHiddenInDocument(text.replaceAll(/[^\S\ufeff]+/g, " ").trim());
}

/** Quotes a value as JSON. Hidden characters become JSON escapes, which do not change the value. */
export function quoteJson(value: unknown): string {
  return quote(codeBlock(showHiddenInJson(JSON.stringify(value, undefined, 2) ?? "")));
}

/** Formats a text as a code block in Markdown. The fence is longer than any fence in the text. */
export function codeBlock(text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
