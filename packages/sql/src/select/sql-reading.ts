import { refuseStatement } from "../refusals/statement-refused.ts";
import { readTokens } from "../tokens/read-tokens.ts";
import type { SqlToken } from "../tokens/sql-token.ts";
import type { TextEdit } from "../tokens/text-edits.ts";
import { TokenCursor } from "../tokens/token-cursor.ts";
import type { SelectGrammar } from "./select-grammar.ts";

/** What names need: the words that are none unless they are quoted. */
export interface NameReading {
  readonly cursor: TokenCursor;
  readonly grammar: Pick<SelectGrammar, "reserved">;
}

/**
 * One statement, or a condition, while it is read. The functions of this folder each read one part of it. A part that contains others, such
 * as an argument or a subquery, calls these methods.
 */
export interface SqlReading extends NameReading {
  readonly grammar: SelectGrammar;
  expression(): void;
  /** Reads `SELECT …`, `WITH …` or a query in parentheses. */
  query(): void;
  /** Reads the rest of a query that began with a part in parentheses. */
  queryTail(): void;
  /** Receives each column that an expression names, split into its parts. With `isStar`, these are the parts before `.*`. */
  column(parts: readonly SqlToken[], isStar: boolean): void;
}

const maxDepth = 100;

/** The cursor over a text, and the edits that remove its comments. */
export function openText(
  sql: string,
  grammar: SelectGrammar,
): { readonly cursor: TokenCursor; readonly edits: TextEdit[] } {
  const { tokens, comments } = readTokens(sql, grammar.lexical);
  const cursor = new TokenCursor(tokens, {
    maxDepth,
    tooDeep: () => refuseStatement("syntax", `The statement is nested deeper than ${maxDepth} levels.`),
    unexpected: (expected, found) => refuseToken(expected, found, grammar),
  });
  return { cursor, edits: comments.map(({ start, end }) => ({ start, end, text: " " })) };
}

function refuseToken(expected: string, { kind, value, raw, start }: SqlToken, { effects }: SelectGrammar): never {
  const effect = kind === "word" || kind === "symbol" ? effects.get(value) : undefined;
  if (effect !== undefined) refuseStatement("effect", `${effect} Only reading is possible here.`);
  if (kind === "symbol" && value === ";")
    refuseStatement("not_a_read", "The text contains more than one statement. Send them one by one.");
  const found = kind === "end" ? "the end" : `"${raw.slice(0, 40)}"`;
  return refuseStatement(
    "syntax",
    `Expected ${expected}, but found ${found} at character ${start + 1}. Only plain SELECT statements are read.`,
  );
}
