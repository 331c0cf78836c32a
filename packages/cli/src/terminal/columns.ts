/** What takes two columns of a terminal: the scripts and signs of East Asia, and emoji. */
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
/** What is written onto the character before it. */
const combining = /\p{M}|\p{Cf}/u;

/** Columns that a text without escape sequences takes on a terminal. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...text].reduce((sum, character) => sum + columnsOfOne(character), 0);
}

function columnsOfOne(character: string): number {
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The text itself where it fits, else its beginning, and that something is missing. */
export function cutAt(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let room = columns - 1;
  let beginning = "";
  for (const character of text) {
    room -= columnsOfOne(character);
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
