import { lowerAscii, readTokens, refuseStatement, type SqlToken, sqliteRules, writtenName } from "@bridle/sql";
import { functionsThatRead } from "../functions.ts";
import { conditionWords } from "./words.ts";

/** @throws StatementRefusedError */
export function checkSqliteCondition(condition: string, columns: readonly string[]): void {
  const { tokens, comments } = readTokens(condition, sqliteRules);
  if (tokens[0]?.kind === "end") refuseStatement("syntax", "The condition is empty. Write one, such as region = 'EU'.");
  // A comment could hide the SQL after the condition.
  if (comments.length > 0) refuseStatement("syntax", "The condition contains a comment. Remove it.");
  refuseOpenParentheses(tokens);
  const known = new Set(columns.map((column) => lowerAscii(column)));
  for (const [index, token] of tokens.entries()) checkConditionToken(token, tokens[index + 1], known);
}

function refuseOpenParentheses(tokens: readonly SqlToken[]): void {
  let depth = 0;
  for (const { kind, value } of tokens) {
    if (kind !== "symbol") continue;
    if (value === ";") refuseStatement("not_a_read", "The condition contains a semicolon. Write one expression.");
    if (value === "(") depth++;
    if (value === ")") depth--;
    if (depth < 0) break;
  }
  if (depth !== 0) refuseStatement("syntax", "The parentheses of the condition do not match.");
}

function checkConditionToken(token: SqlToken, next: SqlToken | undefined, columns: ReadonlySet<string>): void {
  if (token.kind !== "word" && token.kind !== "name") return;
  const isCall = next?.kind === "symbol" && next.value === "(";
  if (token.kind === "word" && conditionWords.has(token.value)) {
    const readsTable = token.value === "in" && !isCall;
    if (readsTable) refuseStatement("not_a_read", "IN needs a list of values in parentheses in a condition.");
    return;
  }
  const name = writtenName(token);
  if (isCall && functionsThatRead.has(lowerAscii(name))) return;
  if (isCall) refuseStatement("effect", `The condition calls ${name}, which is not a read-only function.`);
  if (!columns.has(lowerAscii(name)))
    refuseStatement(
      "unknown_name",
      `The condition names ${name}, which is not a column of the table. A subquery is not allowed.`,
    );
}
