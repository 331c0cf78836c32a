import type { HistoryToken } from "./sql-tokens.ts";

/** Some of the tokens of a statement: from one index to another (exclusive). */
export class TokenRange {
  readonly tokens: readonly HistoryToken[];
  readonly from: number;
  readonly to: number;
  /** For each opening parenthesis the index of its closing one, or of the end. */
  readonly #closing: ReadonlyMap<number, number>;

  constructor(
    tokens: readonly HistoryToken[],
    from = 0,
    to: number = tokens.length,
    closing: ReadonlyMap<number, number> = pairs(tokens),
  ) {
    this.tokens = tokens;
    this.from = from;
    this.to = to;
    this.#closing = closing;
  }

  get isEmpty(): boolean {
    return this.from >= this.to;
  }

  get start(): number {
    return this.tokens[this.from]?.start ?? 0;
  }

  get end(): number {
    return this.tokens[this.to - 1]?.end ?? 0;
  }

  at(index: number): HistoryToken | undefined {
    return index >= this.from && index < this.to ? this.tokens[index] : undefined;
  }

  isWord(index: number, ...words: readonly string[]): boolean {
    const token = this.at(index);
    return token?.kind === "word" && words.includes(token.value);
  }

  isSymbol(index: number, symbol: string): boolean {
    const token = this.at(index);
    return token?.kind === "symbol" && token.value === symbol;
  }

  slice(from: number, to: number): TokenRange {
    return new TokenRange(this.tokens, Math.max(from, this.from), Math.min(to, this.to), this.#closing);
  }

  /** The index after the parenthesis that opens here, or the next index. */
  skip(index: number): number {
    return this.isSymbol(index, "(") ? (this.#closing.get(index) ?? this.to - 1) + 1 : index + 1;
  }

  /** The tokens within the parentheses that open at an index. */
  within(index: number): TokenRange {
    return this.slice(index + 1, this.#closing.get(index) ?? this.to);
  }

  /** The indexes outside of nested parentheses. */
  *outer(): Iterable<number> {
    for (let index = this.from; index < this.to; index = this.skip(index)) yield index;
  }

  /** The parts between separators outside of nested parentheses. */
  split(isSeparator: (index: number) => boolean): readonly TokenRange[] {
    const parts: TokenRange[] = [];
    let from = this.from;
    for (const index of this.outer()) {
      if (!isSeparator(index)) continue;
      parts.push(this.slice(from, index));
      from = index + 1;
    }
    return [...parts, this.slice(from, this.to)];
  }
}

function pairs(tokens: readonly HistoryToken[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, value }] of tokens.entries()) {
    if (kind !== "symbol") continue;
    if (value === "(") open.push(index);
    const opening = value === ")" ? open.pop() : undefined;
    if (opening !== undefined) closing.set(opening, index);
  }
  return closing;
}
