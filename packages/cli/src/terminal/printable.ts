import { showHiddenInProse } from "@bridle/protocol";

/** The parts of a joined emoji that only choose how it looks. Terminals disagree on its width; its parts are sure. */
const emojiStyle =
  /(?<=\p{ExtPict}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{ExtPict})|(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{ExtPict}\ufe0f?)[\u{1f3fb}-\u{1f3ff}]/gu;

/**
 * Makes text of a model, a tool or a user safe for a screen of fixed columns: hidden characters are shown as escapes. Line
 * feeds stay, a tab becomes two spaces.
 */
export function toPrintable(text: string): string {
  return showHiddenInProse(text.replaceAll("\r\n", "\n").replaceAll("\t", "  ").replace(emojiStyle, ""));
}

/** The same on one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replaceAll("\n", " ");
}
