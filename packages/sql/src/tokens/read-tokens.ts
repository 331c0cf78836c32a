import type { SqlToken, TokenKind } from "./sql-token.ts";

/** One kind of token, and how to recognise it. */
export interface TokenForm {
  /** The kind of the tokens. Spaces and comments become no tokens. */
  readonly kind: Exclude<TokenKind, "end"> | "space" | "comment";
  /** Matches a token of this form at `lastIndex`: a sticky expression. */
  readonly pattern: RegExp;
  /** Refuses matches that are not allowed. `end` is the position after the match. */
  readonly check?: ((raw: string, sql: string, end: number) => void) | undefined;
  /** Returns the value of a token. Default: the token as written. */
  readonly toValue?: ((raw: string) => string) | undefined;
}

/** The rules that divide a text into tokens. Each engine has its own rules, and so does each other language with SQL's tokens. */
export interface TokenRules {
  /** The forms of tokens. At each position, the first form that matches counts. */
  readonly forms: readonly TokenForm[];
  /** Refuses a text before it is divided. */
  readonly checkText?: ((sql: string) => void) | undefined;
  /** Refuses a text in which no form matches at position `at`. */
  readonly refuse: (sql: string, at: number) => never;
}

export interface Tokens {
  /** All tokens. The last one has the kind `end`. */
  readonly tokens: readonly SqlToken[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

export function readTokens(sql: string, { forms, checkText, refuse }: TokenRules): Tokens {
  checkText?.(sql);
  const tokens: SqlToken[] = [];
  const comments: { start: number; end: number }[] = [];
  let start = 0;
  while (start < sql.length) {
    const { kind, raw, toValue = asWritten } = formAt(forms, sql, start) ?? refuse(sql, start);
    const end = start + raw.length;
    if (kind === "comment") comments.push({ start, end });
    else if (kind !== "space") tokens.push({ kind, value: toValue(raw), raw, start, end });
    start = end;
  }
  tokens.push({ kind: "end", value: "", raw: "", start, end: start });
  return { tokens, comments };
}

function formAt(forms: readonly TokenForm[], sql: string, start: number) {
  for (const { kind, pattern, check, toValue } of forms) {
    pattern.lastIndex = start;
    const raw = pattern.exec(sql)?.[0];
    if (raw === undefined || raw === "") continue;
    check?.(raw, sql, start + raw.length);
    return { kind, raw, toValue };
  }
  return undefined;
}

const asWritten = (raw: string) => raw;

/** Removes the quotes around a name or string, and replaces doubled closing quotes within it with single ones. */
export function unquoted(raw: string): string {
  const closing = raw.charAt(raw.length - 1);
  return raw.slice(1, -1).replaceAll(closing + closing, closing);
}
