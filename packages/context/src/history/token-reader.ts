import type { SqlToken } from "@bridle/sql";

/** A statement that is not read. It is counted, and has no other effect. */
export class UnreadStatementError extends Error {}

/** Deeper nesting is not read, so that a statement cannot exhaust the stack. */
const maxDepth = 60;

/** Walks through the tokens of a statement. */
export abstract class TokenReader {
  readonly #tokens: readonly SqlToken[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
  }

  protected peek(ahead = 0): SqlToken {
    const token = this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new UnreadStatementError("It has no end.");
    return token;
  }

  protected next(): SqlToken {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  protected at(value: string, ahead = 0): boolean {
    const { kind, value: found } = this.peek(ahead);
    return (kind === "word" || kind === "symbol") && found === value;
  }

  protected atAny(values: ReadonlySet<string>, ahead = 0): boolean {
    const { kind, value } = this.peek(ahead);
    return (kind === "word" || kind === "symbol") && values.has(value);
  }

  protected accept(...values: readonly string[]): boolean {
    if (!values.every((value, at) => this.at(value, at))) return false;
    this.#index += values.length;
    return true;
  }

  protected acceptAny(values: ReadonlySet<string>): string | undefined {
    return this.atAny(values) ? this.next().value : undefined;
  }

  protected expect(...values: readonly string[]): void {
    if (!this.accept(...values)) this.fail(values.join(" "));
  }

  protected fail(expected: string): never {
    throw new UnreadStatementError(`Expected ${expected} at character ${this.peek().start + 1}.`);
  }

  /** Skips up to the end, or to the closing parenthesis around it. */
  protected skipRest(stops: ReadonlySet<string>): void {
    for (let depth = 0; this.peek().kind !== "end"; this.next()) {
      if (depth === 0 && (this.atAny(stops) || this.at(")"))) return;
      if (this.at("(") || this.at("[")) depth += 1;
      if (this.at(")") || this.at("]")) depth -= 1;
    }
  }

  /** Skips a pair of parentheses and their contents. */
  protected skipParentheses(): void {
    this.expect("(");
    this.skipRest(new Set());
    this.expect(")");
  }

  protected nested<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new UnreadStatementError("It is nested too deeply.");
    const result = read();
    this.#depth -= 1;
    return result;
  }
}
