import { stripControlCharacters } from "@bridle/app";

/** Characters that change the direction of text, so that it looks different from what it is. */
const directions = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Joined emoji have different widths on different terminals. Separated they have the same width on all. */
const joiners = /\u200d(?=\p{Extended_Pictographic})|[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]/gu;

/** Makes text of a model, a tool or a user safe for a screen of fixed columns. Line feeds stay, a tab becomes two spaces. */
export function toPrintable(text: string): string {
  return stripControlCharacters(text.replaceAll("\r\n", "\n"))
    .replaceAll("\t", "  ")
    .replace(directions, "")
    .replace(joiners, "");
}

/** The same on one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replaceAll("\n", " ");
}
