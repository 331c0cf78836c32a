import { syntaxRefusal } from "./refuse.ts";
import type { SqliteToken } from "./tokenize.ts";
import { notNames } from "./words.ts";

/** A position in the tokens of a statement. */
export class TokenCursor {
  readonly #tokens: readonly SqliteToken[];
  #next = 0;

  constructor(tokens: readonly SqliteToken[]) {
    this.#tokens = tokens;
  }

  peek(ahead = 0): SqliteToken | undefined {
    return this.#tokens[this.#next + ahead];
  }

  take(): SqliteToken {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw syntaxRefusal(undefined, "more");
    this.#next++;
    return token;
  }

  /** Whether the next token is this operator, or one of these words without quotes. */
  is(...values: readonly string[]): boolean {
    return isSyntax(this.peek(), values);
  }

  isAhead(ahead: number, ...values: readonly string[]): boolean {
    return isSyntax(this.peek(ahead), values);
  }

  /** Takes the next token if it is one of these. */
  skip(...values: readonly string[]): boolean {
    if (!this.is(...values)) return false;
    this.#next++;
    return true;
  }

  expect(...values: readonly string[]): SqliteToken {
    if (this.is(...values)) return this.take();
    throw syntaxRefusal(this.peek()?.source, values.join(" or "));
  }

  /** Whether the next token can be a name: a quoted name, a text, or a word that is not a keyword. */
  isName(): boolean {
    const token = this.peek();
    return token !== undefined && (token.kind === "name" || token.kind === "text" || isFreeWord(token));
  }

  expectName(what: string): SqliteToken {
    if (this.isName()) return this.take();
    throw syntaxRefusal(this.peek()?.source, what);
  }
}

function isFreeWord({ kind, value }: SqliteToken): boolean {
  return kind === "word" && !notNames.has(value);
}

function isSyntax(token: SqliteToken | undefined, values: readonly string[]): boolean {
  return token !== undefined && (token.kind === "word" || token.kind === "operator") && values.includes(token.value);
}

/** The name as it is stored: a word keeps its case. */
export function writtenName({ kind, source, value }: SqliteToken): string {
  return kind === "word" ? source : value;
}
