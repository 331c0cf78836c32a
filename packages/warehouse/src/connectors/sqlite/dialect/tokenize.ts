import { upperAscii } from "../letters.ts";
import { refusal } from "./refuse.ts";

/**
 * A token as SQLite's own tokenizer sees it. `word` is an unquoted identifier or keyword. `name` is an identifier in quotes, backticks or
 * brackets. `text` is a string or blob.
 */
export interface SqliteToken {
  readonly kind: "word" | "name" | "text" | "number" | "operator";
  readonly start: number;
  readonly end: number;
  /** The original text. */
  readonly source: string;
  /** A word in upper case; a name or text without its quotes; otherwise the original text. */
  readonly value: string;
}

/** SQLite treats every character beyond ASCII as a letter. A dollar sign cannot begin a word. */
const patterns = {
  space: /[ \t\n\r\f]+/y,
  comment: /--[^\n]*|\/\*[\s\S]*?\*\//y,
  blob: /[xX]'([0-9a-fA-F]{2})*'/y,
  text: /'(?:[^']|'')*'/y,
  name: /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y,
  number: /0[xX][0-9a-fA-F_]+|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?/y,
  word: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y,
  operator: /->>|->|\|\||<<|>>|<=|>=|<>|!=|==|\/(?!\*)|[-+*%&|~<>=(),.;]/y,
} as const;

const wordCharacter = /[\w$\u0080-\uffff]/;

/** @throws StatementRefusedError for parameters, control characters, open quotes and open comments. */
export function tokenize(sql: string): readonly SqliteToken[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SQLite ends a statement at a NUL, and treats others inconsistently
  if (/[\u0000\ufeff]/.test(sql))
    throw refusal("syntax", "The statement contains a NUL or a byte order mark. Remove it.");
  const tokens: SqliteToken[] = [];
  let position = 0;
  while (position < sql.length) {
    const blank = match(patterns.space, sql, position) ?? match(patterns.comment, sql, position);
    if (blank !== undefined) {
      position += blank.length;
      continue;
    }
    const token = readToken(sql, position);
    tokens.push(token);
    position = token.end;
  }
  return tokens;
}

function readToken(sql: string, start: number): SqliteToken {
  for (const kind of ["blob", "text", "name", "number", "word", "operator"] as const) {
    const source = match(patterns[kind], sql, start);
    if (source === undefined) continue;
    const end = start + source.length;
    if (kind === "number" && wordCharacter.test(sql[end] ?? "")) break;
    return { kind: kind === "blob" ? "text" : kind, start, end, source, value: unquote(kind, source) };
  }
  throw refuseCharacter(sql, start);
}

function unquote(kind: keyof typeof patterns, source: string): string {
  if (kind === "word") return upperAscii(source);
  if (kind !== "text" && kind !== "name") return source;
  const quote = source[0] ?? "";
  const inner = source.slice(1, -1);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
}

function refuseCharacter(sql: string, start: number): Error {
  const rest = sql.slice(start);
  if (/^['"`[]/.test(rest)) return refusal("syntax", `A quote is not closed: ${rest.slice(0, 20)}. Close it.`);
  if (rest.startsWith("/*")) return refusal("syntax", "A comment is not closed. Close it with */.");
  if (/^[?:@$#]/.test(rest))
    return refusal(
      "syntax",
      `The statement has a parameter, ${rest.slice(0, 10)}. Write the value into the statement.`,
    );
  return refusal("syntax", `The statement has an unknown token at ${JSON.stringify(rest.slice(0, 10))}. Remove it.`);
}

function match(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}
