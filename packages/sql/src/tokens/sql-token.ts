export type TokenKind = "word" | "name" | "text" | "number" | "parameter" | "symbol" | "end";

/** A part of a statement, as lexical rules divide it. */
export interface SqlToken {
  /** A `word` is unquoted, a `name` is a quoted identifier, a `text` is a quoted string, and `end` follows the last token. */
  readonly kind: TokenKind;
  /** A word in lower case, a name or string without its quotes, or any other token as written. */
  readonly value: string;
  /** The token as the statement contains it. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the name in a token: a word keeps its case, and a quoted name loses its quotes. */
export function writtenName({ kind, value, raw }: SqlToken): string {
  return kind === "word" ? raw : value;
}
