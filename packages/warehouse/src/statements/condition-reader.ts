import { ExpressionReader } from "./expression-reader.ts";
import { refuseStatement } from "./lexer.ts";
import type { SelectGrammar } from "./select-grammar.ts";
import type { SqlToken } from "./tokens.ts";

/** Reads the condition of a row filter: one expression over the columns of one table, without a subquery. */
export class ConditionReader extends ExpressionReader {
  readonly #columns: ReadonlySet<string>;

  constructor(sql: string, grammar: SelectGrammar, columns: readonly string[]) {
    super(sql, grammar);
    this.#columns = new Set(columns.map((name) => name.toLowerCase()));
  }

  condition(): void {
    // A comment could hide the text after the condition.
    if (this.edits.length > 0) refuseStatement("syntax", "The condition contains a comment. Remove it.");
    this.expression();
    if (this.peek().kind !== "end") this.fail("Expected the end of the condition");
  }

  protected query(): void {
    refuseStatement("not_a_read", "The condition contains a subquery. Name only columns of its table.");
  }

  protected queryTail(): void {
    this.query();
  }

  protected column(parts: readonly SqlToken[], isStar: boolean): void {
    const [first] = parts;
    const name = first?.kind === "name" ? first.value : (first?.raw ?? "");
    if (!isStar && parts.length === 1 && this.#columns.has(name.toLowerCase())) return;
    refuseStatement(
      "unknown_name",
      `The condition names ${parts.map(({ raw }) => raw).join(".")}, which is not a column of its table. Use only its columns.`,
    );
  }
}
