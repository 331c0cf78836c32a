/** Characters that take two columns of a terminal: East Asian scripts and symbols, and emoji. */
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
/** Characters that combine with the one before them. */
const combining = /\p{M}|\p{Cf}/u;

/** The columns of a text without escape sequences. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...text].reduce((sum, character) => sum + columnsOfCharacter(character), 0);
}

function columnsOfCharacter(character: string): number {
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The text if it fits, else its beginning with an ellipsis. */
export function cutAt(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let room = columns - 1;
  let beginning = "";
  for (const character of text) {
    room -= columnsOfCharacter(character);
    if (room < 0) break;
    beginning += character;
  }
  return `${beginning.trimEnd()}…`;
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - columnsOf(text))) + text;
}
