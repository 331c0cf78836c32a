/** The lexical rules of the engines whose statements the SELECT reader checks. A statement with a part that matches no rule is refused. */
import { refuseStatement } from "../refusals/statement-refused.ts";
import { type TokenForm, type TokenRules, unquoted } from "../tokens/read-tokens.ts";

export interface LexicalRules {
  /** The opening and closing quotes of identifiers. A closing quote within an identifier is doubled. */
  readonly nameQuotes: ReadonlyMap<string, string>;
  /** The quotes around strings, such as `'"`. A quote within a string is doubled. */
  readonly textQuotes: string;
  readonly backslashEscapes: boolean;
  /**
   * Whether a quoted name is refused if it contains its quote or a backslash, because engines escape these characters in different ways.
   */
  readonly plainNames?: boolean | undefined;
  /** Whether a string ends at its first quote, even a doubled one. Three quotes, which begin a multi-line string, are then refused. */
  readonly undoubledTexts?: boolean | undefined;
  readonly hashComments: boolean;
  /** Whether `//` begins a comment that ends with the line. */
  readonly slashComments?: boolean | undefined;
  /** Whether `$$` begins and ends a string without escapes. */
  readonly dollarTexts?: boolean | undefined;
  /** Whether `--` begins a comment only before white space, as in MySQL. Any other `--`, such as in `a--1`, is refused. */
  readonly dashesNeedSpace: boolean;
  /**
   * Characters that a word may contain after its first character, in addition to letters, digits and `_`, such as `$`. No word begins with
   * one of them: MySQL 9 reads `$$` as a quote, and T-SQL reads `@` and `#` as variables and temporary tables.
   */
  readonly wordCharacters: string;
  /** Operators and punctuation, longest first. */
  readonly symbols: readonly string[];
  /** Beginnings of comments whose text the engine may execute, such as `/*!`. */
  readonly refusedComments: readonly string[];
  /** Why characters with a special meaning are refused, by the character. */
  readonly refusedCharacters: ReadonlyMap<string, string>;
}

/** The maximum length of a statement. It limits the time for reading a statement. */
const maxLength = 200_000;

/** Turns the rules of an engine into rules for `readTokens`. */
export function strictRules(rules: LexicalRules): TokenRules {
  const forms: readonly TokenForm[] = [
    { kind: "space", pattern: /[ \t\r\n]+/y },
    ...commentForms(rules),
    ...[...rules.nameQuotes].map(([opening, closing]) => nameForm(opening, closing, rules)),
    ...textForms(rules),
    { kind: "number", pattern: numberPattern, check: checkNumber },
    wordForm(rules),
    { kind: "symbol", pattern: anyOf(rules.symbols) },
  ];
  return { forms, checkText, refuse: (sql, at) => refuseAt(sql, at, rules) };
}

function checkText(sql: string): void {
  if (sql.length > maxLength)
    refuseStatement("syntax", `The statement is longer than ${maxLength} characters. Shorten it.`);
  if (!sql.isWellFormed() || sql.includes("\0"))
    refuseStatement("syntax", "The statement contains a NUL or half of a surrogate pair. Remove it.");
}

function commentForms(rules: LexicalRules): readonly TokenForm[] {
  const openings = ["--", ...(rules.hashComments ? ["#"] : []), ...(rules.slashComments ? ["//"] : [])];
  const line = new RegExp(`(?:${openings.join("|")})[^\\n]*`, "y");
  return [
    { kind: "comment", pattern: anyOf(rules.refusedComments), check: refuseComment },
    // Matches an unclosed comment too, so that no symbol begins there.
    { kind: "comment", pattern: /\/\*[\s\S]*?(?:\*\/|$)/y, check: checkBlock },
    { kind: "comment", pattern: line, check: (raw) => checkLine(raw, rules) },
  ];
}

function refuseComment(opening: string): never {
  return refuseStatement(
    "effect",
    `The statement contains "${opening}", which the engine may execute. Remove the comment.`,
  );
}

/** Refuses a comment that contains the beginning of another, because engines differ in whether comments nest. */
function checkBlock(raw: string): void {
  if (raw.length < 4 || !raw.endsWith("*/")) refuseStatement("syntax", 'A comment that begins with "/*" has no end.');
  if (raw.slice(2, -2).includes("/*")) refuseStatement("syntax", 'A comment contains another "/*". Remove it.');
}

/** Refuses a carriage return within a comment, because engines differ in whether it ends the comment. */
function checkLine(raw: string, { dashesNeedSpace }: LexicalRules): void {
  const next = raw.charAt(2);
  if (dashesNeedSpace && raw.startsWith("--") && next !== "" && !/[ \t\r]/.test(next))
    refuseStatement(
      "syntax",
      'The statement contains "--" without a space after it. Write "- -", or a space for a comment.',
    );
  if (/\r(?!$)/.test(raw))
    refuseStatement("syntax", "A comment contains a carriage return without a line feed. Remove it.");
}

function nameForm(opening: string, closing: string, { plainNames }: LexicalRules): TokenForm {
  const check = (raw: string) => {
    const inner = raw.slice(1, -1);
    if (inner.includes("\\") || inner.includes(closing))
      refuseStatement("syntax", "A quoted name contains a quote or a backslash. Such names cannot be used here.");
  };
  const pattern = quoted(opening, closing, true, false);
  return { kind: "name", pattern, check: plainNames ? check : undefined, toValue: unquoted };
}

function textForms({ textQuotes, backslashEscapes, undoubledTexts, dollarTexts }: LexicalRules): readonly TokenForm[] {
  const forms: TokenForm[] = [...textQuotes].map((quote) => {
    return { kind: "text", pattern: quoted(quote, quote, !undoubledTexts, backslashEscapes), toValue: unquoted };
  });
  if (undoubledTexts)
    forms.unshift({
      kind: "text",
      pattern: anyOf([...textQuotes].map((quote) => quote.repeat(3))),
      check: () => refuseStatement("syntax", "A text begins with three quotes. Write it with one."),
    });
  if (dollarTexts)
    forms.push({
      kind: "text",
      pattern: /\$\$(?:[\s\S]*?\$\$)?/y,
      check: checkDollars,
      toValue: (raw) => raw.slice(2, -2),
    });
  return forms;
}

/** Refuses a third dollar sign, because engines read it in different ways. */
function checkDollars(raw: string, sql: string, end: number): void {
  if (raw === "$$") refuseStatement("syntax", "A text in $$ has no end. Close it.");
  if (raw[2] === "$" || sql[end] === "$")
    refuseStatement("syntax", "A text in $$ begins or ends with another dollar sign. Write it in quotes.");
}

const numberPattern = /0x[0-9a-fA-F]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

function checkNumber(raw: string, sql: string, end: number): void {
  const next = /[\p{L}\p{M}\p{N}_.$@#]/uy;
  next.lastIndex = end;
  if (next.test(sql))
    refuseStatement("syntax", `The number ${raw} is followed by other characters. Separate them, or quote the name.`);
}

function wordForm({ wordCharacters, dollarTexts }: LexicalRules): TokenForm {
  const check = (raw: string) => {
    if (dollarTexts && raw.includes("$$"))
      refuseStatement("syntax", `The word "${raw}" contains two dollar signs. Quote it if it is a name.`);
    // Letters beyond the Basic Multilingual Plane are refused, because engines treat them differently. So are letters that an engine may
    // treat as ASCII letters, such as full-width letters or the Kelvin sign (U+212A), whose lower case is k.
    if (raw.normalize("NFKC") !== raw.normalize("NFC") || /[\u212a\u{10000}-\u{10ffff}]/u.test(raw))
      refuseStatement("syntax", `The word "${raw}" contains unusual forms of letters. Quote it if it is a name.`);
  };
  const pattern = new RegExp(`[\\p{L}_][\\p{L}\\p{M}\\p{Nd}_${wordCharacters}]*`, "uy");
  return { kind: "word", pattern, check, toValue: (raw) => raw.toLowerCase() };
}

function refuseAt(sql: string, at: number, { nameQuotes, textQuotes, refusedCharacters }: LexicalRules): never {
  const found = sql.charAt(at);
  const reason = refusedCharacters.get(found);
  if (nameQuotes.has(found) || textQuotes.includes(found))
    refuseStatement("syntax", `A quote (${found}) has no end. Close it.`);
  if (reason !== undefined) refuseStatement("effect", reason);
  return refuseStatement(
    "syntax",
    `The statement contains the character ${JSON.stringify(found)}, which has no meaning here.`,
  );
}

/** Matches a name or string with its quotes. With `isDoubled`, a doubled quote is part of the content. */
function quoted(opening: string, closing: string, isDoubled: boolean, isEscaped: boolean): RegExp {
  const [first, last] = [escaped(opening), escaped(closing)];
  const inner = [
    `[^${last}${isEscaped ? "\\\\" : ""}]`,
    ...(isDoubled ? [last + last] : []),
    ...(isEscaped ? ["\\\\[\\s\\S]"] : []),
  ];
  return new RegExp(`${first}(?:${inner.join("|")})*${last}${isDoubled ? `(?!${last})` : ""}`, "y");
}

/** Matches one of the strings; nothing if the list is empty. */
function anyOf(texts: readonly string[]): RegExp {
  return new RegExp(texts.map(escaped).join("|") || "(?!)", "y");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
