import { cutText, escapeCharacter, showHidden } from "@bridle/protocol";
import { joinName } from "../settings/name-pattern.ts";

/** Longer names are cut in messages. */
const maxCharacters = 120;

/** A name as a message shows it: on one line, without hidden characters, and of limited length, whatever it contains. */
export function shownName(parts: readonly string[]): string {
  return shownLine(joinName(parts), maxCharacters);
}

/** A text on one line, without hidden characters, and of limited length. */
export function shownLine(text: string, max: number): string {
  const line = showHidden(text.replaceAll(/[\r\n\t ]+/g, " "), "").replaceAll("\n", escapeCharacter);
  const cut = cutText(line, max);
  return cut === undefined ? line : `${cut.head}…${cut.tail}`;
}
