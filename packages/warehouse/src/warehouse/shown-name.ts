import { cutText, escapeCharacter, showHidden } from "@bridle/protocol";
import { joinName } from "../settings/name-pattern.ts";

/** Longer names are cut in messages. */
const mostCharacters = 120;

/** A name as a message shows it: on one line, without hidden characters, and of limited length, whatever it contains. */
export function shownName(parts: readonly string[]): string {
  return shownLine(joinName(parts), mostCharacters);
}

/** A text on one line, without hidden characters, and of limited length. */
export function shownLine(text: string, most: number): string {
  const line = showHidden(text.replaceAll(/[\r\n\t ]+/g, " "), "").replaceAll("\n", escapeCharacter);
  const cut = cutText(line, most);
  return cut === undefined ? line : `${cut.head}…${cut.tail}`;
}
