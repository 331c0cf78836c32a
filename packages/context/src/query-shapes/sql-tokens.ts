/**
 * Divides a statement of any engine into tokens, for reading statements of people and not for deciding whether they may run. No text is
 * refused: an unclosed quote ends with the text.
 */

export interface HistoryToken {
  /** `word` is unquoted, `name` a quoted identifier, `text` a literal, `parameter` such as `$1`, `:name` or `{{ name }}`. */
  readonly kind: "word" | "name" | "text" | "number" | "parameter" | "symbol";
  /** A word in lower case, a name without its quotes; other tokens unchanged. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export interface TokenOptions {
  /** Whether double quotes enclose texts, as in MySQL and BigQuery, and not names. Default: false. */
  readonly doubleQuotedTexts?: boolean | undefined;
  /** Whether a backslash in a text escapes the quote after it, as in MySQL, BigQuery, Snowflake and ClickHouse. Default: true. */
  readonly backslashEscapes?: boolean | undefined;
}

const patterns = {
  blank: /\s+/y,
  comment: /--[^\n]*|#(?![>\w-])[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y,
  dollarText: /\$([A-Za-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)/y,
  text: /[EeNnBbXx]?'(?:[^'\\]|''|\\[\s\S])*(?:'|$)/y,
  escapedText: /[Ee]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)/y,
  plainText: /[NnBbXx]?'(?:[^']|'')*(?:'|$)/y,
  doubled: /"(?:[^"]|"")*(?:"|$)/y,
  name: /`(?:[^`]|``)*(?:`|$)|\[[A-Za-z_][^\][\n]*\](?!\s*\()/y,
  template: /\{\{[^{}]*\}\}|\{%[^%]*%\}/y,
  parameter: /\$\d+|\?\d*|:[A-Za-z_]\w*|@[A-Za-z_@]\w*|%\([A-Za-z_]\w*\)s|%s|\$\{[^{}]*\}/y,
  number: /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y,
  word: /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy,
  symbol: /::|<=>|<=|>=|<>|!=|\|\||->>|->|=>|[^\s]/uy,
};

export function readSqlTokens(sql: string, options: TokenOptions = {}): readonly HistoryToken[] {
  const { doubleQuotedTexts = false, backslashEscapes = true } = options;
  const tokens: HistoryToken[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0];
  };
  const take = (kind: HistoryToken["kind"], raw: string | undefined, value = raw ?? "") => {
    if (raw === undefined || raw === "") return false;
    tokens.push({ kind, value, start: at, end: at + raw.length });
    at += raw.length;
    return true;
  };
  const readText = () =>
    backslashEscapes ? match(patterns.text) : (match(patterns.escapedText) ?? match(patterns.plainText));
  while (at < sql.length) {
    const skipped = match(patterns.blank) ?? match(patterns.comment);
    if (skipped) {
      at += skipped.length;
      continue;
    }
    const doubled = match(patterns.doubled);
    const name = doubleQuotedTexts ? match(patterns.name) : (match(patterns.name) ?? doubled);
    const isTaken =
      take("text", match(patterns.dollarText) ?? readText() ?? (doubleQuotedTexts ? doubled : undefined)) ||
      take("name", name, unquote(name)) ||
      take("parameter", match(patterns.template) ?? castOrParameter(sql, at, match)) ||
      take("number", match(patterns.number)) ||
      take("word", match(patterns.word), match(patterns.word)?.toLowerCase()) ||
      take("symbol", match(patterns.symbol));
    if (!isTaken) at += 1;
  }
  return tokens;
}

/** Two colons are a cast. */
function castOrParameter(sql: string, at: number, match: (pattern: RegExp) => string | undefined): string | undefined {
  return sql.startsWith("::", at) ? undefined : match(patterns.parameter);
}

function unquote(name = ""): string {
  const quote = name.charAt(0);
  const inner = name.slice(1, name.length > 1 ? -1 : undefined);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
}
