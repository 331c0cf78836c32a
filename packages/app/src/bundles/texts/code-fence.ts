import { showHiddenInDocument, showHiddenInJson } from "@bridle/protocol";

/**
 * Text of a model, a tool or a user as a quotation of Markdown: each line begins with `>`, so that nothing in it can look like
 * a line of the bundle, and hidden characters are escapes.
 */
export function quote(text: string): string {
  return showHiddenInDocument(text)
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** An untrusted text within a line of the bundle. Line ends are replaced by spaces. */
export function inline(text: string): string {
  return showHiddenInDocument(text.replaceAll(/[^\S\ufeff]+/g, " ").trim());
}

/** A value as JSON in a quotation. Hidden characters are escapes of JSON, so the value is the same. */
export function quoteJson(value: unknown): string {
  return quote(codeBlock(showHiddenInJson(JSON.stringify(value, undefined, 2) ?? "")));
}

/** A text as a code block of Markdown. The fence is longer than any fence in the text. */
export function codeBlock(text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
