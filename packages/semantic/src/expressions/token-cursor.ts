import { refuseMetric } from "../refusals/metric-refusal.ts";
import { type ExpressionToken, readTokens } from "./tokens.ts";

const end: ExpressionToken = { kind: "end", text: "" };

/** The tokens of one expression, and the reading position. */
export class ExpressionCursor {
  readonly source: string;
  readonly #tokens: readonly ExpressionToken[];
  #at = 0;

  constructor(source: string) {
    this.source = source;
    this.#tokens = readTokens(source);
  }

  get current(): ExpressionToken {
    return this.#tokens[this.#at] ?? end;
  }

  next(): ExpressionToken {
    const { current } = this;
    this.#at += 1;
    return current;
  }

  /** Reads the words or the symbol if they are next. */
  take(...words: readonly string[]): boolean {
    if (!words.every((word, index) => this.#isAt(this.#at + index, word))) return false;
    this.#at += words.length;
    return true;
  }

  peek(word: string, ahead = 0): boolean {
    return this.#isAt(this.#at + ahead, word);
  }

  expect(word: string): void {
    if (!this.take(word)) this.fail(`expects ${word.toUpperCase()}`);
  }

  fail(why: string): never {
    const { kind, text } = this.current;
    const found = kind === "end" ? "ends" : `has ${JSON.stringify(text)}`;
    return refuseMetric(
      "invalid_expression",
      `"${this.source}" ${found} in a place that ${why}. Correct the expression.`,
    );
  }

  #isAt(index: number, word: string): boolean {
    const { kind, text } = this.#tokens[index] ?? end;
    return (kind === "word" && text.toLowerCase() === word) || (kind === "symbol" && text === word);
  }
}
