/** The parts of a statement, divided by the engine's lexical rules. */

export type TokenKind = "word" | "name" | "text" | "number" | "symbol" | "end";

export interface SqlToken {
  /** `word` is an unquoted word, `name` a quoted identifier, `text` a quoted text. */
  readonly kind: TokenKind;
  /** A word in lower case, a name without its quotes, or the symbol. For `text` and `number`: as it is written. */
  readonly value: string;
  /** As in the statement. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** The rules that an engine divides statements with. Anything that they do not name is refused. */
export interface LexicalRules {
  /** The opening and closing quotes of identifiers. A closing quote inside is doubled. */
  readonly nameQuotes: ReadonlyMap<string, string>;
  /** The quotes of texts, such as `'"`. A quote inside is doubled. */
  readonly textQuotes: string;
  readonly backslashEscapes: boolean;
  /** Whether quoted names are refused if they contain their quote or a backslash, because engines escape them in different ways. */
  readonly plainNames?: boolean | undefined;
  /** Whether a text ends at its first quote. Three quotes, which begin a text of several lines, are then refused. */
  readonly undoubledTexts?: boolean | undefined;
  readonly hashComments: boolean;
  /** Whether `//` begins a comment up to the end of its line. */
  readonly slashComments?: boolean | undefined;
  /** Whether `$$` begins and ends a text without escapes. */
  readonly dollarTexts?: boolean | undefined;
  /** In MySQL, `--` begins a comment only before white space. `a--1` is an addition there, and is refused here. */
  readonly dashesNeedSpace: boolean;
  /**
   * Characters that a word may contain after its first, in addition to letters, digits and `_`, such as `$`. A word never begins with one
   * of them: MySQL 9 reads `$$` as a quote, and T-SQL reads `@` and `#` as variables and temporary tables.
   */
  readonly wordCharacters: string;
  /** Operators and punctuation, longest first. */
  readonly symbols: readonly string[];
  /** Beginnings of comments that are not only comments, such as `/*!`. */
  readonly refusedComments: readonly string[];
  /** Characters with a meaning of their own, with the reason why they are refused. */
  readonly refusedCharacters: ReadonlyMap<string, string>;
}

/** A part of a statement and the text that replaces it. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces parts of a statement that do not overlap, and leaves all others unchanged. */
export function applyEdits(statement: string, edits: readonly TextEdit[]): string {
  let result = "";
  let position = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += statement.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + statement.slice(position);
}
