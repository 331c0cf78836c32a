import type { SqlToken, TokenKind } from "./sql-token.ts";

/** One form of tokens. */
export interface TokenForm {
  /** Spaces and comments are not tokens. */
  readonly kind: Exclude<TokenKind, "end"> | "space" | "comment";
  /** A sticky expression. */
  readonly pattern: RegExp;
  /** Refuses a text of this form. `end` is the position after it. */
  readonly check?: ((raw: string, sql: string, end: number) => void) | undefined;
  /** The value of a token. Default: as it is written. */
  readonly toValue?: ((raw: string) => string) | undefined;
}

/** The rules that divide a text. Every engine, and every other language with the tokens of SQL, has its own. */
export interface TokenRules {
  /** The first form that matches counts. */
  readonly forms: readonly TokenForm[];
  /** Refuses a whole text, before it is divided. */
  readonly checkText?: ((sql: string) => void) | undefined;
  /** Refuses a text with a part that has no form. */
  readonly refuse: (sql: string, at: number) => never;
}

export interface Tokens {
  /** The last one has the kind `end`. */
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

/** Removes the quotes. A closing quote inside is doubled. */
export function unquoted(raw: string): string {
  const closing = raw.charAt(raw.length - 1);
  return raw.slice(1, -1).replaceAll(closing + closing, closing);
}
