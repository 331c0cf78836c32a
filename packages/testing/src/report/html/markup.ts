/** Builds HTML from small pieces. All inserted values are treated as text, except pieces that this file created. */
import { visible } from "../plain-text.ts";

const made = Symbol("markup");

export interface Markup {
  readonly [made]: string;
}
export type MarkupPart = Markup | string | number | null | false | readonly MarkupPart[];

/** Builds markup. Parts are escaped for text and for quoted attributes; `null` and `false` add nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return { [made]: String.raw({ raw: strings }, ...parts.map(write)) };
}

/** Marks text as markup. Use it only for text in the code of this folder, such as a style sheet. */
export function trusted(markup: string): Markup {
  return { [made]: markup };
}

/** Returns the markup as text. */
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
