import type { SqlToken } from "./sql-token.ts";

/** How the owner of a cursor refuses a text. */
export interface CursorRefusals {
  /** @param expected such as `a name` or `FROM` */
  readonly unexpected: (expected: string, found: SqlToken) => never;
  readonly tooDeep: (maxDepth: number) => never;
  /** The maximum nesting. Deeper nesting is refused, so that no text exhausts the stack. */
  readonly maxDepth: number;
}

/** A position in the tokens of one text. */
export class TokenCursor {
  readonly #tokens: readonly SqlToken[];
  readonly #refusals: CursorRefusals;
  #index = 0;
  #depth = 0;

  /** @param tokens with an `end`, as `readTokens` returns them */
  constructor(tokens: readonly SqlToken[], refusals: CursorRefusals) {
    this.#tokens = tokens;
    this.#refusals = refusals;
  }

  /** Returns the next token, or a token at a distance from it. After the last token, that is always the `end`. */
  peek(ahead = 0): SqlToken {
    const token = this.#tokens[Math.max(0, Math.min(this.#index + ahead, this.#tokens.length - 1))];
    if (token === undefined) throw new Error("A text has no end.");
    return token;
  }

  next(): SqlToken {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  get isAtEnd(): boolean {
    return this.peek().kind === "end";
  }

  /** Whether the next token is this unquoted word or symbol. */
  at(value: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === "word" || token.kind === "symbol") && token.value === value;
  }

  atAny(values: ReadonlySet<string>, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === "word" || token.kind === "symbol") && values.has(token.value);
  }

  /** Takes the given words or symbols if all of them come next; if not, takes nothing. */
  accept(...values: readonly string[]): boolean {
    if (!values.every((value, ahead) => this.at(value, ahead))) return false;
    this.#index += values.length;
    return true;
  }

  /** Takes the next token and returns its value, if it is one of these words or symbols. */
  acceptAny(values: ReadonlySet<string>): string | undefined {
    return this.atAny(values) ? this.next().value : undefined;
  }

  expect(...values: readonly string[]): void {
    if (!this.accept(...values)) this.fail(values.join(" ").toUpperCase());
  }

  /** Refuses the text because of the next token. */
  fail(expected: string): never {
    return this.#refusals.unexpected(expected, this.peek());
  }

  /** Skips to one of these words or symbols, to the closing parenthesis around the position, or to the end. */
  skipRest(stops: ReadonlySet<string>): void {
    for (let depth = 0; !this.isAtEnd; this.next()) {
      if (depth === 0 && (this.atAny(stops) || this.at(")"))) return;
      if (this.at("(") || this.at("[")) depth += 1;
      if (this.at(")") || this.at("]")) depth -= 1;
    }
  }

  /** Skips a pair of parentheses and their contents. */
  skipParentheses(): void {
    this.expect("(");
    this.skipRest(new Set());
    this.expect(")");
  }

  /** Returns the result of `read`. If `read` throws a `refusal`, restores the position and returns undefined. */
  attempt<Result>(read: () => Result, refusal: abstract new (message: string) => Error): Result | undefined {
    const [index, depth] = [this.#index, this.#depth];
    try {
      return read();
    } catch (error) {
      if (!(error instanceof refusal)) throw error;
      this.#index = index;
      this.#depth = depth;
      return undefined;
    }
  }

  /** Calls `read` one level deeper. */
  nest<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > this.#refusals.maxDepth) this.#refusals.tooDeep(this.#refusals.maxDepth);
    const result = read();
    this.#depth -= 1;
    return result;
  }
}
