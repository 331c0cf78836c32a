import { stripVTControlCharacters } from "node:util";

/**
 * Removes escape sequences and control characters: a model, a tool or a host wrote the text, and a terminal would obey
 * them. Line feeds and tabs stay.
 */
export function stripControlCharacters(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, "");
}
