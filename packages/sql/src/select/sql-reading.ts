import { refuseStatement } from "../refusals/statement-refused.ts";
import { readTokens } from "../tokens/read-tokens.ts";
import type { SqlToken } from "../tokens/sql-token.ts";
import type { TextEdit } from "../tokens/text-edits.ts";
import { TokenCursor } from "../tokens/token-cursor.ts";
import type { SelectGrammar } from "./select-grammar.ts";

/** What reading a name needs: the cursor, and the reserved words, which are names only if they are quoted. */
export interface NameReading {
  readonly cursor: TokenCursor;
  readonly grammar: Pick<SelectGrammar, "reserved">;
}

/**
 * One statement or condition while it is read. Each function of this folder reads one part of it, and calls these methods for nested parts,
 * such as an argument or a subquery.
 */
export interface SqlReading extends NameReading {
  readonly grammar: SelectGrammar;
  expression(): void;
  /** Reads `SELECT …`, `WITH …` or a query in parentheses. */
  query(): void;
  /** Reads the rest of a query that began with a part in parentheses. */
  queryTail(): void;
  /** Receives each column that an expression names, split into its parts. If `isStar` is true, `parts` are the parts before `.*`. */
  column(parts: readonly SqlToken[], isStar: boolean): void;
}

const maxDepth = 100;

/** Returns a cursor over a text, and the edits that remove the text's comments. */
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
