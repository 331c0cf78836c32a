import type { StatementContext } from "../../../port/dialect.ts";
import { TokenCursor } from "./cursor.ts";
import { QueryChecker } from "./query-checker.ts";
import { refusal, syntaxRefusal } from "./refuse.ts";
import { refuseStart } from "./refuse-parts.ts";
import { TableReferences } from "./table-references.ts";
import { type SqliteToken, tokenize } from "./tokenize.ts";
import { queryWords } from "./words.ts";

/** Neither people nor models write longer statements. The limit bounds the time of the check. */
const maxLength = 200_000;

/** The check recurses with the parentheses of the statement. SQLite itself refuses expressions deeper than 1,000. */
const maxDepth = 200;

/** @throws StatementRefusedError */
export function checkStatement(statement: string, context: StatementContext): string {
  if (statement.length > maxLength)
    throw refusal(
      "syntax",
      `The statement has ${statement.length} characters, and ${maxLength} are allowed. Shorten it.`,
    );
  const tokens = withoutEnd(tokenize(statement));
  refuseSeveral(tokens);
  refuseDepth(tokens);
  const cursor = new TokenCursor(tokens);
  if (!cursor.is(...queryWords)) throw refuseStart(cursor.peek());
  const references = new TableReferences((name) => context.resolve(name));
  new QueryChecker(cursor, references).checkQuery(new Set());
  const rest = cursor.peek();
  if (rest !== undefined) throw syntaxRefusal(rest.source, "the end of the statement");
  const end = tokens.at(-1)?.end ?? 0;
  return references.rewrite(statement.slice(0, end));
}

/** Semicolons at the end have no meaning. */
function withoutEnd(tokens: readonly SqliteToken[]): readonly SqliteToken[] {
  const end = tokens.findLastIndex(({ value, kind }) => kind !== "operator" || value !== ";");
  return tokens.slice(0, end + 1);
}

function refuseSeveral(tokens: readonly SqliteToken[]): void {
  if (tokens.some(({ kind, value }) => kind === "operator" && value === ";"))
    throw refusal("not_a_read", "The text contains more than one statement. Send one SELECT at a time.");
}

function refuseDepth(tokens: readonly SqliteToken[]): void {
  let depth = 0;
  for (const { kind, value } of tokens) {
    if (kind === "operator" && value === "(") depth++;
    if (kind === "operator" && value === ")") depth--;
    if (depth > maxDepth)
      throw refusal("syntax", `Parentheses are nested deeper than ${maxDepth}. Simplify the statement.`);
  }
}
