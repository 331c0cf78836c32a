import { Lexer, refuseStatement } from "./lexer.ts";
import type { SelectGrammar } from "./select-grammar.ts";
import type { SqlToken, TextEdit } from "./tokens.ts";

/** Deeper nesting is refused, so that no statement exhausts the stack. */
const maxDepth = 100;

/** Walks through the tokens of one statement. */
export abstract class SqlCursor {
  readonly sql: string;
  protected readonly grammar: SelectGrammar;
  protected readonly edits: TextEdit[];
  readonly #tokens: readonly SqlToken[];
  #index = 0;
  #depth = 0;

  constructor(sql: string, grammar: SelectGrammar) {
    const lexer = new Lexer(sql, grammar.lexical);
    lexer.read();
    this.sql = sql;
    this.grammar = grammar;
    this.edits = lexer.edits;
    this.#tokens = lexer.tokens;
  }

  protected peek(ahead = 0): SqlToken {
    const token = this.#tokens[Math.max(0, Math.min(this.#index + ahead, this.#tokens.length - 1))];
    if (token === undefined) throw new Error("A statement has no end.");
    return token;
  }

  protected next(): SqlToken {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  /** Whether the next token is this unquoted word or symbol. */
  protected at(value: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === "word" || token.kind === "symbol") && token.value === value;
  }

  protected atAny(values: ReadonlySet<string>, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === "word" || token.kind === "symbol") && values.has(token.value);
  }

  /** Takes the given words or symbols if they come next, all of them or none. */
  protected accept(...values: readonly string[]): boolean {
    if (!values.every((value, i) => this.at(value, i))) return false;
    this.#index += values.length;
    return true;
  }

  protected acceptAny(values: ReadonlySet<string>): boolean {
    if (!this.atAny(values)) return false;
    this.#index += 1;
    return true;
  }

  protected expect(...values: readonly string[]): void {
    if (!this.accept(...values)) this.fail(`Expected ${values.join(" ").toUpperCase()}`);
  }

  protected number(): void {
    if (this.peek().kind !== "number") this.fail("Expected a number");
    this.next();
  }

  /** Calls `read` one level deeper. */
  protected nest(read: () => void): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) refuseStatement("syntax", `The statement is nested deeper than ${maxDepth} levels.`);
    read();
    this.#depth -= 1;
  }

  /** Refuses the statement at the next token. */
  protected fail(expected: string): never {
    const token = this.peek();
    const effect = token.kind === "word" || token.kind === "symbol" ? this.grammar.effects.get(token.value) : undefined;
    if (effect !== undefined) refuseStatement("effect", `${effect} Only reading is possible here.`);
    if (token.kind === "symbol" && token.value === ";")
      refuseStatement("not_a_read", "The text contains more than one statement. Send them one by one.");
    const found = token.kind === "end" ? "the end" : `"${token.raw.slice(0, 40)}"`;
    refuseStatement(
      "syntax",
      `${expected}, but found ${found} at character ${token.start + 1}. Only plain SELECT statements are read.`,
    );
  }
}
