import { cutText, escapeCharacter, showHidden } from "@bridle/protocol";
import { joinName } from "../settings/name-pattern.ts";

/** The maximum length of a name in messages. Longer names are cut. */
const maxCharacters = 120;

/** Formats any name for a message: on one line, without hidden characters, and with a limited length. */
export function shownName(parts: readonly string[]): string {
  return shownLine(joinName(parts), maxCharacters);
}

/** Formats a string on one line, without hidden characters, and with a limited length. */
export function shownLine(text: string, max: number): string {
  const line = showHidden(text.replaceAll(/[\r\n\t ]+/g, " "), "").replaceAll("\n", escapeCharacter);
  const cut = cutText(line, max);
  return cut === undefined ? line : `${cut.head}…${cut.tail}`;
}
