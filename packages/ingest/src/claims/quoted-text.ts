/** A text to find quotes in, regardless of its whitespace and Markdown marks. */

/** A position in the original text. */
export interface QuoteSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Holds a text for comparisons: in lower case, with single spaces and uniform quotation marks and dashes, without Markdown marks and
 * invisible characters. Keeps each character's position in the original. Pure, in linear time.
 */
export class QuotedText {
  readonly original: string;
  readonly text: string;
  readonly #origins: Uint32Array;

  constructor(original: string) {
    this.original = original;
    const { text, origins } = flatten(original);
    this.text = text;
    this.#origins = origins;
  }

  /** Returns every position of a quote, in order. Empty if the text does not contain the quote. */
  find(quote: string): readonly QuoteSpan[] {
    const wanted = flatten(quote).text.trim();
    if (wanted === "") return [];
    const places: QuoteSpan[] = [];
    for (let at = this.text.indexOf(wanted); at >= 0; at = this.text.indexOf(wanted, at + wanted.length)) {
      places.push(this.#spanOf(at, at + wanted.length));
    }
    return places;
  }

  #spanOf(from: number, to: number): QuoteSpan {
    const { original } = this;
    let start = this.#origins[from] ?? 0;
    const last = this.#origins[to - 1] ?? start;
    let end = last + String.fromCodePoint(original.codePointAt(last) ?? 0).length;
    while (/[*[`]/.test(original[start - 1] ?? "")) start -= 1; // marks that belong to the first and the last word
    while (/[*\]`]/.test(original[end] ?? "")) end += 1;
    return { start, end };
  }
}

/** Returns the text as `QuotedText` compares it, without surrounding spaces. */
export function flattenQuote(text: string): string {
  return flatten(text).text.trim();
}

interface Flattened {
  readonly text: string;
  readonly origins: Uint32Array;
}

function flatten(original: string): Flattened {
  const skipped = linkTargets(original);
  const parts: string[] = [];
  const origins = new Uint32Array(original.length * 2 + 16);
  let length = 0;
  let link = 0;
  const push = (piece: string, at: number) => {
    for (let unit = 0; unit < piece.length && length < origins.length; unit++) origins[length++] = at;
    parts.push(piece);
  };
  let isBlank = true;
  for (let at = 0; at < original.length; ) {
    const target = skipped[link];
    if (target !== undefined && at === target.start) {
      at = target.end;
      link += 1;
      continue;
    }
    const character = String.fromCodePoint(original.codePointAt(at) ?? 0);
    const piece = plainCharacter(character, original, at);
    if (piece === " ") {
      if (!isBlank) push(" ", at);
      isBlank = true;
    } else if (piece !== "") {
      push(piece, at);
      isBlank = false;
    }
    at += character.length;
  }
  return { text: parts.join(""), origins: origins.subarray(0, length) };
}

/** Finds the parts of Markdown links other than the link text. */
function linkTargets(text: string): readonly QuoteSpan[] {
  return Array.from(
    text.matchAll(/\]\((?:[^()\s]|\([^()\s]*\)){1,500}(?: "[^"\n]{0,200}")?\)/g),
    ({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
    }),
  );
}

const plain: Readonly<Record<string, string>> = { "…": "...", "−": "-" };

/** Returns the character for comparisons: empty for an ignored character, and a space for whitespace and separating marks. */
function plainCharacter(character: string, text: string, at: number): string {
  if (character <= "\u007f") return plainAscii(character, text, at);
  if (/\s/u.test(character)) return " ";
  if (/[“”„‟«»]/u.test(character)) return '"';
  if (/[‘’‚‛′]/u.test(character)) return "'";
  if (/\p{Pd}/u.test(character)) return "-";
  if (/\p{Cf}|\p{DI}/u.test(character)) return "";
  return plain[character] ?? character.normalize("NFKC").toLowerCase();
}

function plainAscii(character: string, text: string, at: number): string {
  if (/\s/.test(character)) return " ";
  if (character === "*" || character === "`" || character === "[" || character === "]" || character === "\\") return "";
  if (character === "|") return " ";
  if (character === "_") return isWord(text[at - 1]) && isWord(text[at + 1]) ? "_" : "";
  if ((character === "#" || character === ">") && isLineStart(text, at)) return "";
  if (/[-+]/.test(character) && isLineStart(text, at) && /\s/.test(text[at + 1] ?? "")) return "";
  return character.toLowerCase();
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** Whether the line has only marks and spaces before a position. */
function isLineStart(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0 && at - before < 12; before--) {
    const character = text[before] ?? "\n";
    if (character === "\n") return true;
    if (!/[\s#>]/.test(character)) return false;
  }
  return at < 12;
}
