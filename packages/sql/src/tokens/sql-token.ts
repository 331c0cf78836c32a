export type TokenKind = "word" | "name" | "text" | "number" | "parameter" | "symbol" | "end";

/** A part of a statement, divided by lexical rules. */
export interface SqlToken {
  /** `word` is an unquoted word, `name` a quoted identifier, `text` a quoted text, `end` follows the last token. */
  readonly kind: TokenKind;
  /** A word in lower case; a name or text without its quotes; otherwise as it is written. */
  readonly value: string;
  /** As in the statement. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** The name in a token: a word keeps its case, and a quoted name loses its quotes. */
export function writtenName({ kind, value, raw }: SqlToken): string {
  return kind === "word" ? raw : value;
}
