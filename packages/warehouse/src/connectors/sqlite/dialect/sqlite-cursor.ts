import { refuseStatement, type SqlToken, TokenCursor } from "@bridle/sql";
import { notNames } from "./words.ts";

/**
 * The maximum nesting of parentheses, because the check recurses into them. SQLite itself refuses expressions that are nested more than
 * 1,000 levels deep.
 */
const maxDepth = 200;

export function openCursor(tokens: readonly SqlToken[]): TokenCursor {
  return new TokenCursor(tokens, {
    maxDepth,
    tooDeep: () => refuseStatement("syntax", `Parentheses are nested deeper than ${maxDepth}. Simplify the statement.`),
    unexpected(expected, { kind, raw }) {
      const place = kind === "end" ? "the statement ends" : `there is ${raw}`;
      refuseStatement(
        "syntax",
        `Expected ${expected}, but ${place}. Check the syntax, and quote names that are keywords with "".`,
      );
    },
  });
}

/** Whether the next token can be a name: a quoted name, a string, or a word that is not a keyword. */
export function atSqliteName(cursor: TokenCursor): boolean {
  const { kind, value } = cursor.peek();
  return kind === "name" || kind === "text" || (kind === "word" && !notNames.has(value));
}

export function readSqliteName(cursor: TokenCursor, expected: string): SqlToken {
  return atSqliteName(cursor) ? cursor.next() : cursor.fail(expected);
}
