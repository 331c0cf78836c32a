/** HTML in small pieces: all inserted values are treated as text, except pieces that this file created. */
import { visible } from "../plain-text.ts";

const made = Symbol("markup");

export interface Markup {
  readonly [made]: string;
}
export type MarkupPart = Markup | string | number | null | false | readonly MarkupPart[];

/** Parts are escaped for text and for attributes in quotes; `null` and `false` are nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return { [made]: String.raw({ raw: strings }, ...parts.map(write)) };
}

/** For the text in the code of this folder alone, such as a style sheet. */
export function trusted(markup: string): Markup {
  return { [made]: markup };
}

/** The markup as text. */
export function write(part: MarkupPart): string {
  if (part === null || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return made in part ? part[made] : part.map(write).join("");
}

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => references[character] ?? character);
}
