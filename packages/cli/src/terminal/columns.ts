import { eastAsianWidth } from "get-east-asian-width";

/** Symbols that take two columns although they belong to no East Asian script. */
const emoji = /\p{Emoji_Presentation}/u;
/** Characters that combine with the preceding one. A mark with its own space (`Mc`) takes a column. */
const combining = /\p{Mn}|\p{Me}|\p{Cf}/u;
const mark = /\p{M}/u;
/** Symbols that some terminals draw as emoji. */
const pictograph = /\p{ExtPict}|\p{Emoji_Presentation}/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Returns the number of columns that a string without escape sequences takes in a terminal. A terminal that joins characters, such as the
 * two letters of a flag, uses fewer.
 */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let sum = 0;
  for (const character of text) sum += columnsOfCharacter(character);
  return sum;
}

function columnsOfCharacter(character: string): number {
  if (character < "\u00ad") return 1;
  if (combining.test(character)) return 0;
  return emoji.test(character) ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/**
 * Returns the most columns that any terminal takes for a string without escape sequences. East Asian fonts give two columns to Greek,
 * Cyrillic, box-drawing characters and circled numbers, and terminals disagree about marks and emoji. A row that fits by this measure wraps
 * in no terminal.
 */
export function maxColumnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let sum = 0;
  for (const character of text) sum += maxColumnsOfCharacter(character);
  return sum;
}

function maxColumnsOfCharacter(character: string): number {
  if (character <= "~") return 1;
  if (pictograph.test(character)) return 2;
  return eastAsianWidth(character.codePointAt(0) ?? 0, { ambiguousAsWide: !mark.test(character) });
}

/** Measures a string in columns. */
export type Measure = (text: string) => number;

/** Splits a string into rows of at most `columns`, between user-perceived characters. Every space is kept. */
export function splitRows(text: string, columns: number, measure: Measure = columnsOf): string[] {
  if (/^[ -~]*$/.test(text)) return splitAscii(text, columns);
  return [...iterateRows(text, columns, measure)];
}

/** Returns the first row of `splitRows`. */
export function firstRow(text: string, columns: number, measure: Measure = columnsOf): string {
  const [row = ""] = iterateRows(text, columns, measure);
  return row;
}

function* iterateRows(text: string, columns: number, measure: Measure): Generator<string> {
  let [row, taken] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    for (const part of measure(segment) > columns ? segment : [segment]) {
      const width = measure(part);
      if (taken + width > columns && row !== "") {
        yield row;
        [row, taken] = ["", 0];
      }
      row += part;
      taken += width;
    }
  }
  yield row;
}

function splitAscii(text: string, columns: number): string[] {
  const count = Math.max(1, Math.ceil(text.length / columns));
  return Array.from({ length: count }, (_, index) => text.slice(index * columns, (index + 1) * columns));
}

/** Returns the text if it fits, or else its beginning with an ellipsis. */
export function cutAt(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${firstRow(text, Math.max(columns - 1, 1)).trimEnd()}…`;
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - columnsOf(text))) + text;
}
