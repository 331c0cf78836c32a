import { stripVTControlCharacters } from "node:util";

/** Without what a terminal would obey: a model, a tool or a host wrote the text. Line feeds and tabs stay. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, "");
}
