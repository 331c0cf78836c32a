/**
 * Checks a statement's words, independently of the parser. A read-only transaction still runs functions such as `pg_terminate_backend`. The
 * check therefore refuses a name before a parenthesis if the catalog has a function of that name that may have an effect.
 */
import { StatementRefusedError } from "@bridle/sql";

/** Matches comments, strings, quoted names, words, and the parenthesis after a name. */
const lexeme =
  /--[^\r\n]*|\/\*|(?:[eE]'(?:[^'\\]|\\[\s\S]|'')*'?)|'(?:[^']|'')*'?|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|(?:[uU]&)?"(?:[^"]|"")*"?|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\S/g;

export function refuseUnsafeCalls(sql: string, unsafe: ReadonlySet<string>): void {
  let name: string | undefined;
  for (const text of readLexemes(sql)) {
    if (text === "(" && name !== undefined && unsafe.has(name)) refuse(name);
    name = nameOf(text);
  }
}

/** Reads the words of a statement, without comments and strings. */
function* readLexemes(sql: string): Generator<string> {
  lexeme.lastIndex = 0;
  const pattern = new RegExp(lexeme);
  for (let match = pattern.exec(sql); match !== null; match = pattern.exec(sql)) {
    const [text] = match;
    if (text === "/*") pattern.lastIndex = endOfComment(sql, match.index);
    else if (/^\$.*\$$/s.test(text)) {
      const end = sql.indexOf(text, pattern.lastIndex);
      pattern.lastIndex = end < 0 ? sql.length : end + text.length;
      yield "''";
    } else if (!text.startsWith("--")) yield text;
  }
}

/** Returns the index after a comment. Comments may be nested. */
function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (let place = start; place < sql.length; place += 1) {
    const two = sql.slice(place, place + 2);
    if (two === "/*") depth += 1;
    else if (two === "*/") depth -= 1;
    else continue;
    place += 1;
    if (depth === 0) return place + 1;
  }
  return sql.length;
}

function nameOf(text: string): string | undefined {
  if (/^[uU]&"/.test(text)) refuse(text);
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll('""', '"');
  return /^[A-Za-z_\u0080-\uffff]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : undefined;
}

function refuse(name: string): never {
  throw new StatementRefusedError(
    `The statement calls ${name}, which may have an effect or read outside of the tables. Compute the value without it.`,
    { reason: "effect" },
  );
}
