/**
 * Characters that a reader cannot see: controls, formats (directions, zero-width characters, tags, soft hyphens), line and paragraph
 * separators, fillers, variation selectors, lone surrogates, private and unassigned code points. A terminal may interpret them, and they
 * can hide or reorder the text around them.
 */
const hidden = String.raw`\p{C}\p{DI}\p{Zl}\p{Zp}\u2800`;
/** Matches marks without a letter below them, which would change a character of other text, and piles of marks, which cover other lines. */
const strayMark = String.raw`(?<![\p{L}\p{N}\p{P}\p{S}\p{M}])\p{M}|(?<=\p{M}{4})\p{M}`;
/** Letters of scripts that use joiners in their spelling. */
const joined = `[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}]`;
const spelling = String.raw`(?<=${joined})[\u200c\u200d](?=${joined})`;

const everyHidden = new RegExp(`[${hidden}]|${strayMark}`, "gu");
const hiddenInProse = new RegExp(`(?!${spelling})[${hidden}]|${strayMark}`, "gu");
const controls = /\r(?!\n)|[^\P{Cc}\n\t\r]/gu;

/**
 * Writes each hidden character as `\u{9b}`, so that the user sees everything. Runs of blanks stay as they are.
 *
 * `keep` lists the hidden characters that stay. Default: line feeds.
 */
export function showHidden(text: string, keep = "\n"): string {
  return text.replace(everyHidden, (character) => (keep.includes(character) ? character : escapeCharacter(character)));
}

/** Shows the hidden characters of text that is only read. Line feeds stay, and so do joiners that belong to the spelling of a word. */
export function showHiddenInProse(text: string): string {
  return text.replace(hiddenInProse, (character) => (character === "\n" ? character : escapeCharacter(character)));
}

/** Matches the parts of an emoji that join it to the next emoji or choose how it looks. */
const emojiPart = String.raw`(?<=\p{ExtPict}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{ExtPict})|(?<=\p{ExtPict})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)`;
const hiddenInDocument = new RegExp(`(?!${emojiPart}|(?<=[0-9#*]\\ufe0f)\\u20e3)(?:${hiddenInProse.source})`, "gu");

/**
 * Shows the hidden characters of a user-defined name in one line. Joiners within a word or an emoji stay, but line feeds are shown, too.
 */
export function showHiddenInName(text: string): string {
  return text.replace(hiddenInDocument, escapeCharacter);
}

/**
 * Shows the hidden characters of a document's text, where columns do not matter. Emoji and tabs stay, and each line ends with a line feed.
 */
export function showHiddenInDocument(text: string, show: (character: string) => string = escapeCharacter): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(hiddenInDocument, (character) => (/[\n\t]/.test(character) ? character : show(character)));
}

/** Writes only control characters as escapes, for text that a program may read. Line ends and tabs stay. */
export function showControls(text: string): string {
  return text.replace(controls, escapeCharacter);
}

/** Writes each hidden character of a JSON text as `\u009b`. The text has the same value as before. */
export function showHiddenInJson(json: string): string {
  return json.replace(everyHidden, (character) => {
    return character === "\n" ? character : escapeUnits(character);
  });
}

/** Returns the escape of a character, such as `\u{9b}`. */
export function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Returns the JSON escape of a character, such as `\u009b`, or two escapes for a character above U+FFFF. */
export function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
