import { readTokens, type TokenForm, type TokenRules } from "../tokens/read-tokens.ts";
import type { SqlToken } from "../tokens/sql-token.ts";

/** How an engine writes statements, for reading statements that ran. By default, quotes and comments are read as in most engines. */
export interface LogSyntax {
  /** Whether double quotes enclose strings, as in MySQL and BigQuery, instead of names. Default: false. */
  readonly doubleQuotedTexts?: boolean | undefined;
  /** Whether a backslash in a string escapes the quote after it, as in MySQL, BigQuery, Snowflake and ClickHouse. Default: true. */
  readonly backslashEscapes?: boolean | undefined;
  /**
   * Whether brackets always enclose a name, such as `[a b]`, as in SQL Server and SQLite. Default: only if the content looks like a name.
   */
  readonly bracketNames?: boolean | undefined;
  /** Whether each `#` begins a comment. Default: only if neither an operator nor a word follows. */
  readonly hashComments?: boolean | undefined;
  /** Whether `//` begins a comment. Default: false. */
  readonly slashComments?: boolean | undefined;
}

/** Reads the tokens of a statement that ran. Refuses nothing: an unclosed quote ends at the end of the statement. */
export function readLogTokens(sql: string, syntax: LogSyntax = {}): readonly SqlToken[] {
  return readTokens(sql, logRules(syntax)).tokens;
}

/** Returns how a warehouse's engine writes statements. */
export function logSyntaxOf(dialect: string): LogSyntax {
  const [isMysql, isBigquery, isSnowflake] = [dialect === "mysql", dialect === "bigquery", dialect === "snowflake"];
  return {
    doubleQuotedTexts: isMysql || isBigquery,
    backslashEscapes: isMysql || isBigquery || isSnowflake || dialect === "clickhouse",
    bracketNames: dialect === "sqlite" || dialect === "sqlserver",
    hashComments: isMysql || isBigquery,
    slashComments: isSnowflake,
  };
}

function logRules(syntax: LogSyntax): TokenRules {
  const { doubleQuotedTexts = false, backslashEscapes = true, bracketNames, slashComments = false } = syntax;
  const doubled = { pattern: /"(?:[^"]|"")*(?:"|$)/y, toValue: withoutQuotes };
  const forms: readonly TokenForm[] = [
    { kind: "space", pattern: /\s+/y },
    { kind: "comment", pattern: /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y },
    { kind: "comment", pattern: syntax.hashComments ? /#[^\n]*/y : /#(?![>\w-])[^\n]*/y },
    ...(slashComments ? [{ kind: "comment", pattern: /\/\/[^\n]*/y } as const] : []),
    { kind: "text", pattern: /\$([A-Za-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)/y, toValue: withoutDollars },
    { kind: "text", pattern: backslashEscapes ? anyText : escapedText, toValue: withoutQuotes },
    ...(backslashEscapes ? [] : [{ kind: "text", pattern: plainText, toValue: withoutQuotes } as const]),
    { kind: doubleQuotedTexts ? "text" : "name", ...doubled },
    { kind: "name", pattern: /`(?:[^`]|``)*(?:`|$)/y, toValue: withoutQuotes },
    ...(bracketNames === false ? [] : [{ kind: "name", pattern: bracketsAs(bracketNames), toValue: inner } as const]),
    { kind: "parameter", pattern: /\{\{[^{}]*\}\}|\{%[^%]*%\}/y },
    { kind: "symbol", pattern: /::/y },
    {
      kind: "parameter",
      pattern: /\$\d+|\?\d*|:[A-Za-z_]\w*|@[A-Za-z_@]\w*|%\([A-Za-z_]\w*\)s|%s(?!\w)|\$\{[^{}]*\}/y,
    },
    { kind: "number", pattern: /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y },
    { kind: "word", pattern: /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy, toValue: (raw) => raw.toLowerCase() },
    { kind: "symbol", pattern: /<=>|<=|>=|<>|!==|!=|==|!<|!>|!?~~?\*?|@>|<@|&&|\|\||->>|->|=>|\S/uy },
  ];
  return { forms, refuse: (sql, at) => unreadable(sql, at) };
}

const anyText = /[EeNnBbXx]?'(?:[^'\\]|''|\\[\s\S])*(?:'|$)/y;
const escapedText = /[Ee]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)/y;
const plainText = /[NnBbXx]?'(?:[^']|'')*(?:'|$)/y;

function bracketsAs(areNames: boolean | undefined): RegExp {
  return areNames ? /\[[^\]\n]*\]/y : /\[[A-Za-z_][^\][\n'"]*\](?!\s*\()/y;
}

/** Returns the text within quotes, which may be unclosed. */
function withoutQuotes(raw: string): string {
  const quoted = raw.charAt(1) === "'" && raw.charAt(0) !== "'" ? raw.slice(1) : raw;
  const quote = quoted.charAt(0);
  const isClosed = quoted.length > 1 && quoted.endsWith(quote);
  return quoted.slice(1, isClosed ? -1 : undefined).replaceAll(quote + quote, quote);
}

function inner(raw: string): string {
  return raw.slice(1, -1);
}

function withoutDollars(raw: string): string {
  return raw.replaceAll(/^\$\w*\$|\$\w*\$$/g, "");
}

function unreadable(sql: string, at: number): never {
  throw new Error(`No token begins at character ${at} of ${sql.length}.`);
}
