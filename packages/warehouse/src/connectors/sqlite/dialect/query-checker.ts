import { lowerAscii, refuseStatement, type SqlToken, type TokenCursor, writtenName } from "@bridle/sql";
import type { ResolvedTable } from "../../../port/dialect.ts";
import { refuseFunction, refuseStart, refuseTableFunction } from "./refuse-parts.ts";
import { atSqliteName, readSqliteName } from "./sqlite-cursor.ts";
import type { TableReferences } from "./table-references.ts";
import { namesOfWith } from "./with-names.ts";
import {
  beforeParenthesis,
  clauseWords,
  joinConditionStops,
  joinWords,
  notInExpressions,
  queryWords,
} from "./words.ts";

/** The names of the common table expressions that a query can see, in lower case. */
type Visible = ReadonlySet<string>;

/**
 * Follows the clauses of a query, down to every subquery, and reports each table that the query names. Expressions are not parsed: within
 * an expression, only a subquery in parentheses, `IN table` and a function can read something, and the reserved words that begin a clause
 * cannot occur. Everything else is refused.
 */
export class QueryChecker {
  readonly #cursor: TokenCursor;
  readonly #references: TableReferences;

  constructor(cursor: TokenCursor, references: TableReferences) {
    this.#cursor = cursor;
    this.#references = references;
  }

  checkQuery(outer: Visible): void {
    const visible = this.#cursor.at("with") ? this.#checkWith(outer) : outer;
    do this.#checkSelect(visible);
    while (this.#skipSetOperator());
    if (this.#cursor.accept("order")) this.#checkClause(visible, "by");
    if (this.#cursor.accept("limit")) this.#checkExpressions(visible, clauseWords);
  }

  /** Checks a WITH. Each of its names is visible in all of its queries, even in earlier ones. */
  #checkWith(outer: Visible): Visible {
    this.#cursor.expect("with");
    if (this.#cursor.at("recursive") && !(this.#cursor.at("as", 1) || this.#cursor.at("(", 1))) this.#cursor.next();
    const ahead = namesOfWith(this.#cursor);
    const visible = new Set([...outer, ...ahead]);
    do {
      readSqliteName(this.#cursor, "the name of a common table expression");
      if (this.#cursor.at("(")) this.#checkParentheses(visible);
      this.#cursor.expect("as");
      this.#cursor.accept("not");
      this.#cursor.accept("materialized");
      this.#cursor.expect("(");
      this.#cursor.nest(() => this.checkQuery(visible));
      this.#cursor.expect(")");
    } while (this.#cursor.accept(","));
    return visible;
  }

  #skipSetOperator(): boolean {
    if (this.#cursor.accept("union")) return this.#cursor.accept("all") || true;
    return this.#cursor.accept("except") || this.#cursor.accept("intersect");
  }

  #checkSelect(visible: Visible): void {
    if (this.#cursor.accept("values")) {
      do this.#checkParentheses(visible);
      while (this.#cursor.accept(","));
      return;
    }
    if (!this.#cursor.at("select")) refuseStart(this.#cursor.peek());
    this.#cursor.next();
    if (!this.#cursor.accept("distinct")) this.#cursor.accept("all");
    this.#checkExpressions(visible, clauseWords);
    if (this.#cursor.accept("from")) this.#checkFrom(visible);
    if (this.#cursor.accept("where")) this.#checkExpressions(visible, clauseWords);
    if (this.#cursor.accept("group")) this.#checkClause(visible, "by");
    if (this.#cursor.accept("having")) this.#checkExpressions(visible, clauseWords);
    if (this.#cursor.accept("window")) this.#checkExpressions(visible, clauseWords);
  }

  #checkClause(visible: Visible, second: string): void {
    this.#cursor.expect(second);
    this.#checkExpressions(visible, clauseWords);
  }

  #checkFrom(visible: Visible): void {
    this.#checkFromItem(visible);
    while (this.#skipJoin()) {
      this.#checkFromItem(visible);
      if (this.#cursor.accept("on")) this.#checkExpressions(visible, joinConditionStops, true);
      else if (this.#cursor.accept("using")) this.#checkParentheses(visible);
    }
  }

  #skipJoin(): boolean {
    if (this.#cursor.accept(",")) return true;
    if (!this.#cursor.atAny(joinWords)) return false;
    while (!this.#cursor.accept("join")) if (!this.#cursor.acceptAny(joinWords)) this.#cursor.fail("JOIN");
    return true;
  }

  #checkFromItem(visible: Visible): void {
    if (this.#cursor.accept("(")) {
      this.#cursor.nest(() => {
        if (this.#cursor.atAny(queryWords)) this.checkQuery(visible);
        else this.#checkFrom(visible);
      });
      this.#cursor.expect(")");
      this.#skipAlias();
      return;
    }
    const parts = this.#takeTableName();
    if (this.#cursor.at("(")) {
      refuseTableFunction(parts);
      this.#checkParentheses(visible);
      this.#skipAlias();
    } else this.#replaceTable(parts, visible);
  }

  /** Takes one or two names with a dot between them. */
  #takeTableName(): readonly SqlToken[] {
    const parts = [readSqliteName(this.#cursor, "a table")];
    if (this.#cursor.accept(".")) parts.push(readSqliteName(this.#cursor, "a table"));
    if (this.#cursor.at("."))
      refuseStatement("syntax", `The name ${parts.map(({ raw }) => raw).join(".")}. is too long.`);
    return parts;
  }

  #replaceTable(parts: readonly SqlToken[], visible: Visible): void {
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
    if (this.#cursor.accept("as")) return readSqliteName(this.#cursor, "an alias") !== undefined;
    if (!atSqliteName(this.#cursor)) return false;
    this.#cursor.next();
    return true;
  }

  /** Takes `INDEXED BY name` or `NOT INDEXED`, if one of them comes next. */
  #takeIndexHint(): readonly SqlToken[] | undefined {
    if (this.#cursor.accept("indexed")) {
      const first = this.#cursor.peek(-1);
      this.#cursor.expect("by");
      return [first, readSqliteName(this.#cursor, "an index")];
    }
    if (!this.#cursor.accept("not")) return undefined;
    this.#cursor.expect("indexed");
    return [this.#cursor.peek(-2), this.#cursor.peek(-1)];
  }

  #checkParentheses(visible: Visible): void {
    this.#cursor.expect("(");
    this.#cursor.nest(() => {
      if (this.#cursor.atAny(queryWords)) this.checkQuery(visible);
      else this.#checkExpressions(visible, new Set());
    });
    this.#cursor.expect(")");
  }

  /** Reads until a stop word, a closing parenthesis or the end. With `endsAtComma`, a comma also ends the expressions. */
  #checkExpressions(visible: Visible, stops: ReadonlySet<string>, endsAtComma = false): void {
    for (;;) {
      if (this.#cursor.isAtEnd || this.#cursor.at(")") || (endsAtComma && this.#cursor.at(","))) return;
      if (this.#cursor.at("(")) this.#checkParentheses(visible);
      else if (this.#cursor.atAny(stops)) return;
      else this.#checkToken(visible);
    }
  }

  #checkToken(visible: Visible): void {
    if (this.#cursor.atAny(notInExpressions)) this.#cursor.fail("an expression");
    const token = this.#cursor.next();
    if (token.kind !== "word" && token.kind !== "name") {
      if (token.kind === "symbol" && token.value === "." && this.#cursor.atAny(joinWords) && !this.#cursor.at("join"))
        this.#cursor.next();
      return;
    }
    if (token.kind === "word" && this.#checkKeyword(token, visible)) return;
    const isKeyword = token.kind === "word" && beforeParenthesis.has(token.value);
    if (this.#cursor.at("(") && !isKeyword) refuseFunction(writtenName(token));
  }

  /** Checks the words after IS and IN. Returns whether the keyword is IS or IN. */
  #checkKeyword({ value }: SqlToken, visible: Visible): boolean {
    if (value === "is") {
      this.#cursor.accept("not");
      if (this.#cursor.accept("distinct")) this.#cursor.expect("from");
      return true;
    }
    if (value !== "in") return false;
    if (!this.#cursor.at("(")) this.#checkInTable(visible);
    return true;
  }

  /** Checks `x IN table`, which means `x IN (SELECT * FROM table)`. */
  #checkInTable(visible: Visible): void {
    const parts = this.#takeTableName();
    if (this.#cursor.at("(")) {
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
