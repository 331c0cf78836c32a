import { type RefusalReason, StatementRefusedError } from "../port/errors.ts";
import type { LexicalRules, SqlToken, TextEdit, TokenKind } from "./tokens.ts";

/** The maximum length of a statement. Longer statements are refused, so that reading one takes little time. */
const maxLength = 200_000;

const numberPattern = /0x[0-9a-fA-F]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

/** Divides a statement into tokens. Comments are not tokens. They become edits that leave a space. */
export class Lexer {
  readonly tokens: SqlToken[] = [];
  readonly edits: TextEdit[] = [];
  readonly #sql: string;
  readonly #rules: LexicalRules;
  readonly #word: RegExp;
  #position = 0;

  constructor(sql: string, rules: LexicalRules) {
    this.#sql = sql;
    this.#rules = rules;
    // Only the Basic Multilingual Plane, because engines treat letters beyond it differently.
    this.#word = new RegExp(`[\\p{L}_][\\p{L}\\p{M}\\p{Nd}_${rules.wordCharacters}]*`, "uy");
  }

  read(): void {
    if (this.#sql.length > maxLength)
      refuseStatement("syntax", `The statement is longer than ${maxLength} characters. Shorten it.`);
    if (!this.#sql.isWellFormed() || this.#sql.includes("\0"))
      refuseStatement("syntax", "The statement contains a NUL or half of a surrogate pair. Remove it.");
    while (this.#position < this.#sql.length) this.#readOne();
    this.#push("end", "", this.#position);
  }

  #readOne(): void {
    const rest = this.#sql.charAt(this.#position);
    if (/[ \t\r\n]/.test(rest)) this.#position += 1;
    else if (!this.#skipComment()) this.#readToken(rest);
  }

  #readToken(first: string): void {
    const closing = this.#rules.nameQuotes.get(first);
    if (closing !== undefined) this.#readQuoted("name", closing, false);
    else if (this.#rules.textQuotes.includes(first)) this.#readText(first);
    else if (this.#rules.dollarTexts && this.#sql.startsWith("$$", this.#position)) this.#readDollars();
    else if (/[0-9]/.test(first) || /^\.[0-9]/.test(this.#sql.slice(this.#position, this.#position + 2)))
      this.#readNumber();
    else if (!this.#readWord()) this.#readSymbol(first);
  }

  #skipComment(): boolean {
    const start = this.#position;
    const refused = this.#rules.refusedComments.find((opening) => this.#sql.startsWith(opening, start));
    if (refused !== undefined)
      refuseStatement(
        "effect",
        `The statement contains "${refused}", which the engine may execute. Remove the comment.`,
      );
    if (this.#sql.startsWith("/*", start)) this.#skipTo(this.#findBlockEnd(start));
    else if (this.#sql.startsWith("--", start)) this.#skipDashes(start);
    else if (this.#startsLineComment(start)) this.#skipTo(this.#findLineEnd(start));
    else return false;
    this.edits.push({ start, end: this.#position, text: " " });
    return true;
  }

  #startsLineComment(start: number): boolean {
    const { hashComments, slashComments } = this.#rules;
    return (hashComments && this.#sql[start] === "#") || (slashComments === true && this.#sql.startsWith("//", start));
  }

  #skipDashes(start: number): void {
    if (this.#rules.dashesNeedSpace && !/^(?:[ \t\r\n]|$)/.test(this.#sql.slice(start + 2, start + 3)))
      refuseStatement(
        "syntax",
        'The statement contains "--" without a space after it. Write "- -", or a space for a comment.',
      );
    this.#skipTo(this.#findLineEnd(start));
  }

  /** A carriage return alone ends no comment: engines differ, so it is refused inside one. */
  #findLineEnd(start: number): number {
    const found = this.#sql.indexOf("\n", start);
    const end = found === -1 ? this.#sql.length : found;
    if (/\r(?!$)/.test(this.#sql.slice(start, end)))
      refuseStatement("syntax", "A comment contains a carriage return without a line feed. Remove it.");
    return end;
  }

  /** Engines differ in whether comments nest, so a comment must not contain the beginning of another. */
  #findBlockEnd(start: number): number {
    const end = this.#sql.indexOf("*/", start + 2);
    if (end === -1) refuseStatement("syntax", 'A comment that begins with "/*" has no end.');
    if (this.#sql.slice(start + 2, end).includes("/*"))
      refuseStatement("syntax", 'A comment contains another "/*". Remove it.');
    return end + 2;
  }

  #skipTo(end: number): void {
    this.#position = end;
  }

  #readText(quote: string): void {
    if (this.#rules.undoubledTexts && this.#sql.startsWith(quote.repeat(3), this.#position))
      refuseStatement("syntax", "A text begins with three quotes. Write it with one.");
    this.#readQuoted("text", quote, this.#rules.backslashEscapes);
  }

  /** Engines may read a third dollar sign in more than one way. */
  #readDollars(): void {
    const start = this.#position;
    const end = this.#sql.indexOf("$$", start + 2);
    if (end === -1) refuseStatement("syntax", "A text in $$ has no end. Close it.");
    if (this.#sql[start + 2] === "$" || this.#sql[end + 2] === "$")
      refuseStatement("syntax", "A text in $$ begins or ends with another dollar sign. Write it in quotes.");
    this.#position = end + 2;
    this.#push("text", this.#sql.slice(start, this.#position), start);
  }

  #readQuoted(kind: "name" | "text", closing: string, escapes: boolean): void {
    const doubles = kind === "name" || !this.#rules.undoubledTexts;
    const start = this.#position;
    let value = "";
    for (let i = start + 1; i < this.#sql.length; i += 1) {
      const character = this.#sql.charAt(i);
      if (escapes && character === "\\") {
        i += 1;
        continue;
      }
      if (character === closing && !(doubles && this.#sql[i + 1] === closing)) {
        this.#position = i + 1;
        if (kind === "name") this.#checkName(value, closing);
        this.#push(kind, kind === "name" ? value : this.#sql.slice(start, i + 1), start);
        return;
      }
      if (character === closing) i += 1;
      value += character;
    }
    refuseStatement("syntax", `A quote (${this.#sql.charAt(start)}) has no end. Close it.`);
  }

  #checkName(value: string, closing: string): void {
    if (this.#rules.plainNames && (value.includes("\\") || value.includes(closing)))
      refuseStatement("syntax", "A quoted name contains a quote or a backslash. Such names cannot be used here.");
  }

  #readNumber(): void {
    const start = this.#position;
    numberPattern.lastIndex = start;
    const [text = ""] = numberPattern.exec(this.#sql) ?? [];
    this.#position += text.length;
    if (/^[\p{L}\p{M}\p{N}_.$@#]/u.test(this.#sql.slice(this.#position)))
      refuseStatement(
        "syntax",
        `The number ${text} is followed by other characters. Separate them, or quote the name.`,
      );
    this.#push("number", text, start);
  }

  #readWord(): boolean {
    const start = this.#position;
    this.#word.lastIndex = start;
    const [text] = this.#word.exec(this.#sql) ?? [];
    if (text === undefined) return false;
    if (this.#rules.dollarTexts && text.includes("$$"))
      refuseStatement("syntax", `The word "${text}" contains two dollar signs. Quote it if it is a name.`);
    // Letters that an engine may treat as ASCII letters, such as full-width letters or the Kelvin sign.
    if (text.normalize("NFKC") !== text.normalize("NFC") || /[\u{10000}-\u{10ffff}]/u.test(text))
      refuseStatement("syntax", `The word "${text}" contains unusual forms of letters. Quote it if it is a name.`);
    this.#position += text.length;
    this.#push("word", text.toLowerCase(), start);
    return true;
  }

  #readSymbol(first: string): void {
    const start = this.#position;
    const reason = this.#rules.refusedCharacters.get(first);
    const symbol = this.#rules.symbols.find((candidate) => this.#sql.startsWith(candidate, start));
    if (symbol === undefined) {
      if (reason !== undefined) refuseStatement("effect", reason);
      refuseStatement(
        "syntax",
        `The statement contains the character ${JSON.stringify(first)}, which has no meaning here.`,
      );
    }
    this.#position += symbol.length;
    this.#push("symbol", symbol, start);
  }

  #push(kind: TokenKind, value: string, start: number): void {
    this.tokens.push({ kind, value, raw: this.#sql.slice(start, this.#position), start, end: this.#position });
  }
}

export function refuseStatement(reason: RefusalReason, message: string): never {
  throw new StatementRefusedError(message, { reason });
}
