import { readTokens, type SqlToken, StatementRefusedError } from "@bridle/sql";
import type { DialectId } from "@bridle/warehouse";
import { ExpressionTreeReader } from "./expression-tree-reader.ts";
import { lexicalRulesOf } from "./lexical-rules.ts";
import type { JoinWords, QueryTree, SelectTree, SourceTree, SqlNode } from "./statement-tree.ts";
import { UnreadStatementError } from "./token-reader.ts";

const setOperators = new Set(["union", "except", "intersect", "minus"]);
/** Clauses after the tables, the conditions and the groups of a SELECT that do not show how tables are used. */
const tail = new Set([
  ...setOperators,
  "order",
  "limit",
  "offset",
  "fetch",
  "for",
  "window",
  "qualify",
  "settings",
  ";",
]);
const clauses = new Set([...tail, "where", "group", "having", "prewhere", "on", "using", ",", "join"]);
const joinWords = new Set(
  "inner left right full cross natural join outer straight_join asof any semi anti global positional".split(" "),
);
const partialJoins = ["semi", "anti", "any", "asof"];
const plainJoin: JoinWords = { isPartial: false, isNatural: false };
const modifiers = new Set(["distinct", "all", "sql_calc_found_rows", "straight_join"]);
/** Statements that may contain a query. */
const writers = new Set(["insert", "create", "explain", "replace", "merge", "copy"]);

/** A statement of a history: its query, and a text that is the same for all of its literals. */
export interface ReadStatement {
  readonly query: QueryTree;
  readonly normal: string;
}

/** Throws an UnreadStatementError for a text that is not a query, or cannot be parsed. */
export function readStatementTree(sql: string, dialect: DialectId): ReadStatement {
  const tokens = tokensOf(sql, dialect);
  const shown = tokens.map(({ kind, value }) => (kind === "text" || kind === "number" ? "?" : value));
  return { query: new StatementTreeReader(tokens).statement(), normal: shown.join(" ") };
}

function tokensOf(sql: string, dialect: DialectId): readonly SqlToken[] {
  try {
    return readTokens(sql, lexicalRulesOf(dialect)).tokens;
  } catch (error) {
    if (!(error instanceof StatementRefusedError)) throw error;
    throw new UnreadStatementError(error.message);
  }
}

class StatementTreeReader extends ExpressionTreeReader {
  statement(): QueryTree {
    if (this.atAny(writers)) while (this.peek().kind !== "end" && !this.atQuery()) this.next();
    if (!this.atQuery() && !this.at("(")) this.fail("a query");
    return this.query();
  }

  protected query(): QueryTree {
    return this.nested(() => {
      const common = this.accept("with") ? this.#common() : [];
      const selects = this.#term();
      let isDistinct = true;
      while (this.acceptAny(setOperators) !== undefined) {
        if (this.acceptAny(new Set(["all", "distinct"])) === "all") isDistinct = false;
        selects.push(...this.#term());
      }
      this.skipRest(new Set([";"]));
      return { common, selects, isDistinct };
    });
  }

  #common(): QueryTree["common"][number][] {
    this.accept("recursive");
    const found: QueryTree["common"][number][] = [];
    do {
      const name = this.name();
      if (this.at("(")) this.skipParentheses();
      this.expect("as");
      this.accept("not");
      this.accept("materialized");
      this.expect("(");
      found.push({ name, query: this.query() });
      this.expect(")");
    } while (this.accept(","));
    return found;
  }

  #term(): SelectTree[] {
    if (this.accept("(")) {
      const { selects } = this.query();
      this.expect(")");
      return [...selects];
    }
    this.expect("select");
    return [this.#select()];
  }

  #select(): SelectTree {
    const { isDistinct, distinctOn, isTopOne } = this.#modifiers();
    const items = this.#items();
    const { sources, conditions, using } = this.accept("from") ? this.#tables() : new FromReading();
    if (this.accept("prewhere")) conditions.push(this.expression());
    if (this.accept("where")) conditions.push(this.expression());
    const isGrouped = this.accept("group", "by");
    const groupsAll = isGrouped && this.accept("all");
    const groups = isGrouped && !groupsAll ? this.expressions() : [];
    if (this.accept("with")) this.skipRest(new Set([...tail, "having"]));
    const having = this.accept("having") ? this.expression() : undefined;
    const { isLimited, isQualified } = this.#tail();
    return {
      items,
      sources,
      conditions,
      using,
      groups,
      groupsAll,
      having,
      isDistinct,
      distinctOn,
      isOneRow: isTopOne || isLimited,
      isQualified,
    };
  }

  #modifiers(): { isDistinct: boolean; distinctOn: readonly SqlNode[]; isTopOne: boolean } {
    let isDistinct = false;
    let distinctOn: readonly SqlNode[] = [];
    for (let word = this.acceptAny(modifiers); word !== undefined; word = this.acceptAny(modifiers)) {
      if (word === "distinct") isDistinct = true;
      if (!this.accept("on")) continue;
      this.expect("(");
      distinctOn = this.expressions();
      this.expect(")");
    }
    if (!this.accept("top")) return { isDistinct, distinctOn, isTopOne: false };
    const isTopOne = this.at("1") || this.peek().value === "1" || (this.at("(") && this.peek(1).value === "1");
    if (this.at("(")) this.skipParentheses();
    else this.next();
    const isOther = this.accept("percent") || this.accept("with", "ties");
    return { isDistinct, distinctOn, isTopOne: isTopOne && !isOther };
  }

  /** Reads the clauses after the groups, up to a set operation or the end. */
  #tail(): { isLimited: boolean; isQualified: boolean } {
    const found = { isLimited: false, isQualified: false };
    while (this.peek().kind !== "end" && !this.at(")") && !this.atAny(setOperators)) {
      const isOne = this.peek(1).value === "1" && !this.at(",", 2);
      if (this.at("limit") && isOne) found.isLimited = !this.at("by", 2);
      if (this.at("fetch") && this.peek(2).value === "1") found.isLimited = true;
      if (this.at("fetch") && this.at("row", 2)) found.isLimited = true;
      if (this.at("qualify")) found.isQualified = true;
      if (this.at("(")) this.skipParentheses();
      else this.next();
    }
    return found;
  }

  #items(): SelectTree["items"] {
    const items: { node: SqlNode; alias: string | undefined }[] = [];
    do {
      const node = this.expression();
      if (node.kind === "star") this.#starWords();
      items.push({ node, alias: this.#alias() });
    } while (this.accept(","));
    return items;
  }

  /** `* EXCEPT (a)` */
  #starWords(): void {
    while (this.atAny(new Set(["except", "exclude", "replace", "rename"])) && this.at("(", 1)) {
      this.next();
      this.skipParentheses();
    }
  }

  #alias(): string | undefined {
    const isNamed = this.accept("as");
    if (isNamed && this.peek().kind === "text") return this.next().value;
    return isNamed || this.atName() ? this.name() : undefined;
  }

  #tables(): FromReading {
    const found = new FromReading();
    do this.#joined(found);
    while (this.accept(","));
    return found;
  }

  #joined(found: FromReading): void {
    this.#source(found, plainJoin);
    while (this.atAny(joinWords)) {
      const words = new Set<string>();
      // Such as LEFT OUTER JOIN.
      for (let word = this.acceptAny(joinWords); word !== undefined; word = this.acceptAny(joinWords)) words.add(word);
      this.#source(found, {
        isPartial: partialJoins.some((word) => words.has(word)),
        isNatural: words.has("natural"),
      });
      if (this.accept("on")) found.conditions.push(this.expression());
      else if (this.accept("using")) found.use(this.#names());
    }
  }

  #names(): string[] {
    this.expect("(");
    const names = [this.name()];
    while (this.accept(",")) names.push(this.name());
    this.expect(")");
    return names;
  }

  #source(found: FromReading, join: JoinWords): void {
    this.accept("lateral");
    if (this.accept("(")) {
      if (this.atQuery()) {
        const query = this.query();
        this.expect(")");
        found.sources.push({ ...join, kind: "query", query, alias: this.#tableAlias() });
      } else {
        this.nested(() => this.#joined(found));
        this.expect(")");
        this.#tableAlias();
      }
      return;
    }
    const path = this.dottedName();
    const isCall = this.at("(");
    if (isCall) this.skipParentheses();
    const alias = this.#tableAlias();
    found.sources.push(isCall ? { ...join, kind: "other", alias } : { ...join, kind: "table", path, alias });
  }

  #tableAlias(): string | undefined {
    const alias = this.#alias();
    if (this.at("(")) this.skipParentheses(); // its columns, or a hint
    if (!this.atAny(clauses) && !this.atAny(joinWords)) this.skipRest(new Set([...clauses, ...joinWords]));
    return alias;
  }
}

/** The tables of a SELECT while they are read. */
class FromReading {
  readonly sources: SourceTree[] = [];
  readonly conditions: SqlNode[] = [];
  readonly using: { column: string; source: number }[] = [];

  use(columns: readonly string[]): void {
    for (const column of columns) this.using.push({ column, source: this.sources.length - 1 });
  }
}
