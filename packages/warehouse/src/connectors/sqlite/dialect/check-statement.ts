import { readTokens, refuseStatement, type SqlToken, sqliteRules } from "@bridle/sql";
import type { StatementContext } from "../../../port/dialect.ts";
import { QueryChecker } from "./query-checker.ts";
import { refuseStart } from "./refuse-parts.ts";
import { openCursor } from "./sqlite-cursor.ts";
import { TableReferences } from "./table-references.ts";
import { queryWords } from "./words.ts";

/** The maximum length of a statement, which limits the time of the check. Neither people nor models write longer statements. */
const maxLength = 200_000;

/** @throws StatementRefusedError */
export function checkStatement(statement: string, context: StatementContext): string {
  if (statement.length > maxLength)
    refuseStatement(
      "syntax",
      `The statement has ${statement.length} characters, and ${maxLength} are allowed. Shorten it.`,
    );
  const { tokens } = readTokens(statement, sqliteRules);
  const last = tokens.findLastIndex((token) => token.kind !== "end" && !isSemicolon(token));
  // Semicolons at the end of the statement have no meaning.
  const kept = [...tokens.slice(0, last + 1), ...tokens.slice(-1)];
  if (kept.some(isSemicolon))
    refuseStatement("not_a_read", "The text contains more than one statement. Send one SELECT at a time.");
  const cursor = openCursor(kept);
  if (!cursor.atAny(queryWords)) refuseStart(cursor.peek());
  const references = new TableReferences((name) => context.resolve(name));
  new QueryChecker(cursor, references).checkQuery(new Set());
  if (!cursor.isAtEnd) cursor.fail("the end of the statement");
  return references.rewrite(statement.slice(0, tokens[last]?.end ?? 0));
}

function isSemicolon({ kind, value }: SqlToken): boolean {
  return kind === "symbol" && value === ";";
}
