import { type LogSyntax, readLogTokens } from "@bridle/sql";

/** Names that are kept. Any other name in double quotes may be a value, because some engines write strings in double quotes. */
const plainName = /^[\p{L}_][\p{L}\p{M}\p{N}_ $#.-]{0,127}$/u;

/** Symbols without a blank before them, and symbols without a blank after them. */
const tightBefore = new Set([",", ")", ".", ";", "::", "]"]);
const tightAfter = new Set(["(", ".", "::", "["]);

/**
 * Returns the template of a statement: without comments, with unquoted words in lower case, and with `?` for each literal and parameter, so
 * that it contains no value. A list of values becomes one `?`. Statements that differ only in values have the same template.
 *
 * @example normaliseQuery("SELECT * FROM t WHERE id IN (1, 2) -- x") // "select * from t where id in (?)"
 */
export function normaliseQuery(sql: string, syntax: LogSyntax = {}): string {
  const parts: string[] = [];
  for (const { kind, value, start, end } of readLogTokens(sql, syntax)) {
    if (kind === "end") break;
    const isOdd = kind === "name" && sql[start] === '"' && !plainName.test(value);
    const isValue = kind === "text" || kind === "number" || kind === "parameter" || isOdd;
    const text = isValue ? "?" : kind === "word" ? value : sql.slice(start, end);
    const last = parts.at(-1);
    if (isValue && last === "," && parts.at(-2) === "?") parts.pop();
    else if (isValue && (last === "-" || last === "+") && isOperatorBefore(parts.at(-2))) parts.splice(-1, 1, "?");
    else parts.push(text);
  }
  while (parts.at(-1) === ";") parts.pop();
  return join(collapseRows(parts));
}

/** Whether a plus or minus after this part is the sign of a number, not an operator between two values. */
function isOperatorBefore(part: string | undefined): boolean {
  return part === undefined || /^(?:[(,=<>]|<=|>=|<>|!=|and|or|between|in|then|else|when)$/.test(part);
}

/** Replaces rows such as `(?), (?), (?)` with one `(?)`. */
function collapseRows(parts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const part of parts) {
    kept.push(part);
    const isRepeated = kept.slice(-7).join(" ") === "( ? ) , ( ? )";
    if (isRepeated) kept.splice(-4);
  }
  return kept;
}

function join(parts: readonly string[]): string {
  let text = "";
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    const isCall = part === "(" && before !== undefined && /^[\p{L}_][\w$]*$/u.test(before) && !spaced.has(before);
    const isTight = before === undefined || tightBefore.has(part) || tightAfter.has(before) || isCall;
    text += isTight ? part : ` ${part}`;
  }
  return text;
}

/** Words that are followed by a blank before a parenthesis. */
const spaced = new Set(
  "in and or not on as from join where having values using over exists any all select by then when else".split(" "),
);
