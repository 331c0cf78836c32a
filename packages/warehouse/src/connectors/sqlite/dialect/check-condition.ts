import { functionsThatRead } from "../functions.ts";
import { lowerAscii } from "../letters.ts";
import { writtenName } from "./cursor.ts";
import { refusal } from "./refuse.ts";
import { type SqliteToken, tokenize } from "./tokenize.ts";
import { conditionWords } from "./words.ts";

/** @throws StatementRefusedError */
export function checkSqliteCondition(condition: string, columns: readonly string[]): void {
  const tokens = tokenize(condition);
  if (tokens.length === 0) throw refusal("syntax", "The condition is empty. Write one, such as region = 'EU'.");
  refuseComments(condition, tokens);
  refuseOpenParentheses(tokens);
  const known = new Set(columns.map((column) => lowerAscii(column)));
  for (const [index, token] of tokens.entries()) checkConditionToken(token, tokens[index + 1], known);
}

/** A comment could hide the text after the condition. */
function refuseComments(condition: string, tokens: readonly SqliteToken[]): void {
  let position = 0;
  for (const { start, end } of [...tokens, { start: condition.length, end: condition.length }]) {
    if (condition.slice(position, start).trim() !== "")
      throw refusal("syntax", "The condition contains a comment. Remove it.");
    position = end;
  }
}

function refuseOpenParentheses(tokens: readonly SqliteToken[]): void {
  let depth = 0;
  for (const { kind, value } of tokens) {
    if (kind !== "operator") continue;
    if (value === ";") throw refusal("not_a_read", "The condition contains a semicolon. Write one expression.");
    if (value === "(") depth++;
    if (value === ")") depth--;
    if (depth < 0) break;
  }
  if (depth !== 0) throw refusal("syntax", "The parentheses of the condition do not match.");
}

function checkConditionToken(token: SqliteToken, next: SqliteToken | undefined, columns: ReadonlySet<string>): void {
  if (token.kind !== "word" && token.kind !== "name") return;
  const isCall = next?.kind === "operator" && next.value === "(";
  if (token.kind === "word" && conditionWords.has(token.value)) {
    const readsTable = token.value === "IN" && !isCall;
    if (readsTable) throw refusal("not_a_read", "IN needs a list of values in parentheses in a condition.");
    return;
  }
  const name = writtenName(token);
  if (isCall && functionsThatRead.has(lowerAscii(name))) return;
  if (isCall) throw refusal("effect", `The condition calls ${name}, which is not a read-only function.`);
  if (!columns.has(lowerAscii(name)))
    throw refusal(
      "unknown_name",
      `The condition names ${name}, which is not a column of the table. A subquery is not allowed.`,
    );
}
