import { refuseStatement } from "../../refusals/statement-refused.ts";
import { type TokenRules, unquoted } from "../../tokens/read-tokens.ts";

/**
 * The rules of SQLite's own tokenizer, for a check that follows SQLite's keywords instead of a grammar. Every character beyond ASCII is a
 * letter, and only the letters A to Z have a lower case. A dollar sign cannot begin a word. Comments do not nest.
 */
export const sqliteRules: TokenRules = {
  forms: [
    { kind: "space", pattern: /[ \t\n\r\f]+/y },
    { kind: "comment", pattern: /--[^\n]*|\/\*[\s\S]*?\*\//y },
    { kind: "text", pattern: /[xX]'([0-9a-fA-F]{2})*'/y },
    { kind: "text", pattern: /'(?:[^']|'')*'/y, toValue: unquoted },
    { kind: "name", pattern: /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y, toValue: unquoted },
    {
      kind: "number",
      pattern: /0[xX][0-9a-fA-F_]+|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?/y,
      check(raw, sql, end) {
        if (/[\w$\u0080-\uffff]/.test(sql[end] ?? "")) refuseAt(sql, end - raw.length);
      },
    },
    { kind: "word", pattern: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y, toValue: lowerAscii },
    { kind: "symbol", pattern: /->>|->|\|\||<<|>>|<=|>=|<>|!=|==|\/(?!\*)|[-+*%&|~<>=(),.;]/y },
  ],
  checkText(sql) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: SQLite ends a statement at a NUL, and reads a byte order mark inconsistently
    if (/[\u0000\ufeff]/.test(sql))
      refuseStatement("syntax", "The statement contains a NUL or a byte order mark. Remove it.");
  },
  refuse: refuseAt,
};

/** Converts A to Z to lower case. JavaScript's `toLowerCase` would also convert a Kelvin sign to k. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function refuseAt(sql: string, at: number): never {
  const rest = sql.slice(at);
  if (/^['"`[]/.test(rest)) refuseStatement("syntax", `A quote is not closed: ${rest.slice(0, 20)}. Close it.`);
  if (rest.startsWith("/*")) refuseStatement("syntax", "A comment is not closed. Close it with */.");
  if (/^[?:@$#]/.test(rest))
    refuseStatement(
      "syntax",
      `The statement has a parameter, ${rest.slice(0, 10)}. Write the value into the statement.`,
    );
  return refuseStatement(
    "syntax",
    `The statement has an unknown token at ${JSON.stringify(rest.slice(0, 10))}. Remove it.`,
  );
}
