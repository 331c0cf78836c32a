import type { ResolvedTable } from "../../../port/dialect.ts";
import { lowerAscii } from "../letters.ts";
import { type TokenCursor, writtenName } from "./cursor.ts";
import { refusal, syntaxRefusal } from "./refuse.ts";
import { refuseFunction, refuseStart, refuseTableFunction } from "./refuse-parts.ts";
import type { TableReferences } from "./table-references.ts";
import type { SqliteToken } from "./tokenize.ts";
import { namesOfWith } from "./with-names.ts";
import { beforeParenthesis, clauseWords, joinConditionStops, joinWords, queryWords } from "./words.ts";

/** The names of the common table expressions that a query can see, in lower case. */
type Visible = ReadonlySet<string>;

/**
 * Follows the clauses of a query, down to every subquery, and reports each table that it names. Expressions are not parsed: only a
 * parenthesis with a query, `IN table` and a function can read something in them, and the reserved words that begin a clause cannot occur.
 * Everything else is refused.
 */
export class QueryChecker {
  readonly #cursor: TokenCursor;
  readonly #references: TableReferences;

  constructor(cursor: TokenCursor, references: TableReferences) {
    this.#cursor = cursor;
    this.#references = references;
  }

  checkQuery(outer: Visible): void {
    const visible = this.#cursor.is("WITH") ? this.#checkWith(outer) : outer;
    do this.#checkSelect(visible);
    while (this.#skipSetOperator());
    if (this.#cursor.skip("ORDER")) this.#checkClause(visible, "BY");
    if (this.#cursor.skip("LIMIT")) this.#checkExpressions(visible, clauseWords);
  }

  /** All names of a WITH are visible in all of its queries, including those before them. */
  #checkWith(outer: Visible): Visible {
    this.#cursor.expect("WITH");
    if (this.#cursor.is("RECURSIVE") && !this.#cursor.isAhead(1, "AS", "(")) this.#cursor.take();
    const ahead = namesOfWith(this.#cursor);
    const visible = new Set([...outer, ...ahead]);
    do {
      this.#cursor.expectName("the name of a common table expression");
      if (this.#cursor.is("(")) this.#checkParentheses(visible);
      this.#cursor.expect("AS");
      this.#cursor.skip("NOT");
      this.#cursor.skip("MATERIALIZED");
      this.#cursor.expect("(");
      this.checkQuery(visible);
      this.#cursor.expect(")");
    } while (this.#cursor.skip(","));
    return visible;
  }

  #skipSetOperator(): boolean {
    if (this.#cursor.skip("UNION")) return this.#cursor.skip("ALL") || true;
    return this.#cursor.skip("EXCEPT", "INTERSECT");
  }

  #checkSelect(visible: Visible): void {
    if (this.#cursor.skip("VALUES")) {
      do this.#checkParentheses(visible);
      while (this.#cursor.skip(","));
      return;
    }
    if (!this.#cursor.is("SELECT")) throw refuseStart(this.#cursor.peek());
    this.#cursor.take();
    this.#cursor.skip("DISTINCT", "ALL");
    this.#checkExpressions(visible, clauseWords);
    if (this.#cursor.skip("FROM")) this.#checkFrom(visible);
    if (this.#cursor.skip("WHERE")) this.#checkExpressions(visible, clauseWords);
    if (this.#cursor.skip("GROUP")) this.#checkClause(visible, "BY");
    if (this.#cursor.skip("HAVING")) this.#checkExpressions(visible, clauseWords);
    if (this.#cursor.skip("WINDOW")) this.#checkExpressions(visible, clauseWords);
  }

  #checkClause(visible: Visible, second: string): void {
    this.#cursor.expect(second);
    this.#checkExpressions(visible, clauseWords);
  }

  #checkFrom(visible: Visible): void {
    this.#checkFromItem(visible);
    while (this.#skipJoin()) {
      this.#checkFromItem(visible);
      if (this.#cursor.skip("ON")) this.#checkExpressions(visible, joinConditionStops, true);
      else if (this.#cursor.skip("USING")) this.#checkParentheses(visible);
    }
  }

  #skipJoin(): boolean {
    if (this.#cursor.skip(",")) return true;
    if (!this.#cursor.is(...joinWords)) return false;
    while (!this.#cursor.is("JOIN")) this.#cursor.expect(...joinWords);
    this.#cursor.take();
    return true;
  }

  #checkFromItem(visible: Visible): void {
    if (this.#cursor.skip("(")) {
      if (this.#cursor.is(...queryWords)) this.checkQuery(visible);
      else this.#checkFrom(visible);
      this.#cursor.expect(")");
      this.#skipAlias();
      return;
    }
    const parts = this.#takeTableName();
    if (this.#cursor.is("(")) {
      refuseTableFunction(parts);
      this.#checkParentheses(visible);
      this.#skipAlias();
    } else this.#replaceTable(parts, visible);
  }

  /** One or two names with a dot between them. */
  #takeTableName(): readonly SqliteToken[] {
    const parts = [this.#cursor.expectName("a table")];
    if (this.#cursor.skip(".")) parts.push(this.#cursor.expectName("a table"));
    if (this.#cursor.is("."))
      throw refusal("syntax", `The name ${parts.map(({ source }) => source).join(".")}. is too long.`);
    return parts;
  }

  #replaceTable(parts: readonly SqliteToken[], visible: Visible): void {
    const [first] = parts;
    const isExpression = parts.length === 1 && first !== undefined && visible.has(lowerAscii(writtenName(first)));
    const found = isExpression ? undefined : this.#references.resolve(parts);
    const hasAlias = this.#skipAlias();
    const index = this.#takeIndexHint();
    if (found === undefined) return;
    this.#references.replace(parts, found, hasAlias);
    if (found.relation !== undefined && index !== undefined) this.#references.remove(index);
  }

  #skipAlias(): boolean {
    if (this.#cursor.skip("AS")) return this.#cursor.expectName("an alias") !== undefined;
    if (!this.#cursor.isName()) return false;
    this.#cursor.take();
    return true;
  }

  /** `INDEXED BY name` or `NOT INDEXED`. */
  #takeIndexHint(): readonly SqliteToken[] | undefined {
    if (this.#cursor.is("INDEXED"))
      return [this.#cursor.take(), this.#cursor.expect("BY"), this.#cursor.expectName("an index")];
    return this.#cursor.is("NOT") ? [this.#cursor.take(), this.#cursor.expect("INDEXED")] : undefined;
  }

  #checkParentheses(visible: Visible): void {
    this.#cursor.expect("(");
    if (this.#cursor.is(...queryWords)) this.checkQuery(visible);
    else this.#checkExpressions(visible, new Set());
    this.#cursor.expect(")");
  }

  /** Reads until a stop word, a closing parenthesis, or the end; if `endsAtComma`, until a comma. */
  #checkExpressions(visible: Visible, stops: ReadonlySet<string>, endsAtComma = false): void {
    for (;;) {
      const token = this.#cursor.peek();
      if (token === undefined || this.#cursor.is(")") || (endsAtComma && this.#cursor.is(","))) return;
      if (this.#cursor.is("(")) this.#checkParentheses(visible);
      else if (token.kind === "word" && stops.has(token.value)) return;
      else this.#checkToken(visible);
    }
  }

  #checkToken(visible: Visible): void {
    const token = this.#cursor.take();
    if (token.kind !== "word" && token.kind !== "name") {
      if (token.kind === "operator" && token.value === "." && this.#cursor.is(...joinWords) && !this.#cursor.is("JOIN"))
        this.#cursor.take();
      return;
    }
    if (token.kind === "word" && this.#checkKeyword(token, visible)) return;
    const isKeyword = token.kind === "word" && beforeParenthesis.has(token.value);
    if (this.#cursor.is("(") && !isKeyword) refuseFunction(writtenName(token));
  }

  /** Whether the word is a keyword that reads something, or that an expression cannot contain. */
  #checkKeyword({ value, source }: SqliteToken, visible: Visible): boolean {
    if (value === "IS") {
      this.#cursor.skip("NOT");
      if (this.#cursor.skip("DISTINCT")) this.#cursor.expect("FROM");
      return true;
    }
    if (value === "IN") {
      if (!this.#cursor.is("(")) this.#checkInTable(visible);
      return true;
    }
    if (value === "SELECT" || value === "VALUES" || value === "FROM" || value === "JOIN") {
      throw syntaxRefusal(source, "an expression");
    }
    return false;
  }

  /** `x IN table` means `x IN (SELECT * FROM table)`. */
  #checkInTable(visible: Visible): void {
    const parts = this.#takeTableName();
    if (this.#cursor.is("(")) {
      refuseTableFunction(parts);
      this.#checkParentheses(visible);
      return;
    }
    const [first] = parts;
    if (parts.length === 1 && first !== undefined && visible.has(lowerAscii(writtenName(first)))) return;
    const found: ResolvedTable = this.#references.resolve(parts);
    this.#references.replace(parts, found, true);
  }
}
