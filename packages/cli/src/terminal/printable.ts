import { showHiddenInProse } from "@bridle/protocol";

/** The parts of a joined emoji that only affect how it looks. Terminals disagree about the width of the whole, but not about its parts. */
const emojiStyle =
  /(?<=\p{ExtPict}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{ExtPict})|(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{ExtPict}\ufe0f?)[\u{1f3fb}-\u{1f3ff}]/gu;

/**
 * Makes text of a model, a tool or a user safe for a terminal: hidden characters are shown as escapes. Line feeds are kept, and a tab
 * becomes two spaces.
 */
export function toPrintable(text: string): string {
  return showHiddenInProse(text.replaceAll("\r\n", "\n").replaceAll("\t", "  ").replace(emojiStyle, ""));
}

/** Works like `toPrintable`, for a single line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replaceAll("\n", " ");
}
