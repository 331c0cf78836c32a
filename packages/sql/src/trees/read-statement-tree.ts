import { type LogSyntax, readLogTokens } from "../engines/log-rules.ts";
import { atName, readName } from "../select/names.ts";
import { setOperators, wordSet } from "../select/select-grammar.ts";
import { type SqlToken, writtenName } from "../tokens/sql-token.ts";
import { TokenCursor } from "../tokens/token-cursor.ts";
import { readExpressionTree } from "./expression-tree-reader.ts";
import { atTreeQuery, readNodes, readPath } from "./operand-tree-reader.ts";
import {
  type JoinWords,
  operationOf,
  type QueryTree,
  type SelectTree,
  type SourceTree,
  type SqlNode,
  type TextSpan,
} from "./statement-tree.ts";
import type { TreeReading } from "./tree-reading.ts";

/** A statement that cannot be read. Callers only count such statements. */
export class UnreadStatementError extends Error {}

/** A part of a statement that cannot be read. Other parts may be readable. */
class UnreadPartError extends UnreadStatementError {}

function refuseReading(message: string): never {
  throw new UnreadStatementError(message);
}

/** The maximum nesting. A statement with deeper nesting is not read, so that it cannot exhaust the stack. */
const maxDepth = 60;
/** The maximum length. Longer statements come from programs, and do not show how people use the tables. */
const maxLength = 200_000;

/** Words that end an expression or a name, unless they are quoted. */
const reserved = wordSet(`
  select from where group having order limit offset fetch union except intersect minus join inner left right full cross natural on using as
  and or not in is like ilike between then when else end case over qualify window for with by asc desc distinct all filter set values into
  lateral tablesample sample final prewhere settings format straight_join outer apply exists
`);
const semicolon = wordSet(";");
const queryEnds = new Set([...setOperators, ")", ";"]);
const narrowing = wordSet("qualify limit offset fetch");
/** Words that begin the clauses after the tables, conditions and groups of a SELECT. These clauses do not show how tables are used. */
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
const itemEnds = new Set([...clauses, "from"]);
const joinWords = new Set(
  "inner left right full cross natural join outer straight_join asof any semi anti global positional apply".split(" "),
);
/** Words that may follow a table or a condition. */
const sourceEnds = new Set([...clauses, ...joinWords]);
const partialJoins = ["semi", "anti", "any", "asof"];
const plainJoin: JoinWords = { isPartial: false, isNatural: false };
const modifiers = new Set(["distinct", "all", "sql_calc_found_rows", "straight_join"]);
/** Statements that may contain a query. */
const writers = new Set(["insert", "create", "explain", "replace", "merge", "copy"]);

/** The result of reading a text of one or more statements that ran. */
interface ReadStatement {
  /** The queries of the text, at least one. */
  readonly queries: readonly QueryTree[];
  /** Whether the text begins with a statement that may contain a query, such as INSERT or EXPLAIN. */
  readonly isWriting: boolean;
  /** The tokens of the text, with `?` for each string and number. Two texts that differ only in these literals have the same value. */
  readonly normal: string;
  /** Returns the position of a term that AND or OR connects. */
  readonly spanOf: (term: SqlNode) => TextSpan | undefined;
}

/** Reads the queries of a text. Throws an UnreadStatementError if the text contains no query or cannot be parsed. */
export function readStatementTree(sql: string, syntax: LogSyntax = {}): ReadStatement {
  if (sql.length > maxLength) refuseReading("It is too long.");
  const tokens = readLogTokens(sql, syntax);
  const shown = tokens.map(({ kind, value }) => (kind === "text" || kind === "number" ? "?" : value));
  const reader = new StatementTreeReader(tokens);
  const queries = reader.statements();
  const isWriting = writers.has(tokens[0]?.value ?? "");
  return { queries, isWriting, normal: shown.join(" "), spanOf: (term) => reader.spans.get(term) };
}

class StatementTreeReader implements TreeReading {
  readonly grammar = { reserved };
  readonly spans = new WeakMap<SqlNode, TextSpan>();
  readonly cursor: TokenCursor;

  constructor(tokens: readonly SqlToken[]) {
    this.cursor = new TokenCursor(tokens, {
      maxDepth,
      tooDeep: () => refuseReading("It is nested too deeply."),
      unexpected(expected, { start }) {
        throw new UnreadPartError(`Expected ${expected} at character ${start + 1}.`);
      },
    });
  }

  expression(): SqlNode {
    return readExpressionTree(this);
  }

  /** Returns the queries of all statements. Skips statements without a query. */
  statements(): readonly QueryTree[] {
    const found: QueryTree[] = [];
    do {
      if (this.cursor.atAny(writers)) while (!this.cursor.isAtEnd && !atTreeQuery(this)) this.cursor.next();
      if (atTreeQuery(this) || this.cursor.at("(")) found.push(this.query());
      else this.cursor.skipRest(semicolon);
    } while (this.cursor.accept(";"));
    if (found.length === 0) this.cursor.fail("a query");
    return found;
  }

  query(): QueryTree {
    return this.cursor.nest(() => {
      const common = this.cursor.accept("with") ? this.#common() : [];
      const selects = this.#term();
      let isDistinct = true;
      while (this.cursor.acceptAny(setOperators) !== undefined) {
        if (this.cursor.acceptAny(new Set(["all", "distinct"])) === "all") isDistinct = false;
        this.cursor.accept("by", "name");
        selects.push(...this.#term());
      }
      this.cursor.skipRest(semicolon);
      return { common, selects, isDistinct };
    });
  }

  #common(): QueryTree["common"][number][] {
    this.cursor.accept("recursive");
    const found: QueryTree["common"][number][] = [];
    do {
      const name = writtenName(readName(this));
      if (this.cursor.at("(")) this.cursor.skipParentheses();
      this.cursor.expect("as");
      this.cursor.accept("not");
      this.cursor.accept("materialized");
      this.cursor.expect("(");
      found.push({ name, query: this.query() });
      this.cursor.expect(")");
    } while (this.cursor.accept(","));
    return found;
  }

  #term(): SelectTree[] {
    if (this.cursor.accept("(")) {
      const { selects } = this.query();
      this.cursor.expect(")");
      return [...selects];
    }
    this.cursor.expect("select");
    return [this.#select()];
  }

  #select(): SelectTree {
    const { isDistinct, distinctOn, isTop, isTopOne } = this.#modifiers();
    const items = this.#items();
    const { sources, conditions, using } = this.cursor.accept("from") ? this.#tables() : new FromReading();
    if (this.cursor.accept("prewhere")) conditions.push(this.#whole(sourceEnds));
    if (this.cursor.accept("where")) conditions.push(this.#whole(sourceEnds));
    const isGrouped = this.cursor.accept("group", "by");
    const groupsAll = isGrouped && this.cursor.accept("all");
    const groups = isGrouped && !groupsAll ? readNodes(this) : [];
    if (this.cursor.accept("with")) this.cursor.skipRest(new Set([...tail, "having"]));
    const having = this.cursor.accept("having") ? this.expression() : undefined;
    const { isLimited, isQualified, isNarrowed } = this.#tail();
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
      isNarrowed: isNarrowed || isTop || having !== undefined,
    };
  }

  #modifiers(): { isDistinct: boolean; distinctOn: readonly SqlNode[]; isTop: boolean; isTopOne: boolean } {
    let isDistinct = false;
    let distinctOn: readonly SqlNode[] = [];
    for (let word = this.cursor.acceptAny(modifiers); word !== undefined; word = this.cursor.acceptAny(modifiers)) {
      if (word === "distinct") isDistinct = true;
      if (!this.cursor.accept("on")) continue;
      this.cursor.expect("(");
      distinctOn = readNodes(this);
      this.cursor.expect(")");
    }
    // SELECT AS STRUCT
    if (this.cursor.accept("as")) this.cursor.next();
    if (!this.cursor.accept("top")) return { isDistinct, distinctOn, isTop: false, isTopOne: false };
    const isTopOne =
      this.cursor.at("1") ||
      this.cursor.peek().value === "1" ||
      (this.cursor.at("(") && this.cursor.peek(1).value === "1");
    if (this.cursor.at("(")) this.cursor.skipParentheses();
    else this.cursor.next();
    const isPercent = this.cursor.accept("percent");
    const hasTies = this.cursor.accept("with", "ties");
    return { isDistinct, distinctOn, isTop: true, isTopOne: isTopOne && !isPercent && !hasTies };
  }

  /** Reads the clauses after the groups, up to a set operation or the end. */
  #tail(): { isLimited: boolean; isQualified: boolean; isNarrowed: boolean } {
    // An unknown part may have any effect.
    const isRead = this.cursor.isAtEnd || this.cursor.at(")") || this.cursor.atAny(tail);
    const found = { isLimited: false, isQualified: false, isNarrowed: !isRead };
    while (this.cursor.peek().kind !== "end" && !this.cursor.atAny(queryEnds)) {
      const isOne = this.cursor.peek(1).value === "1" && !this.cursor.at(",", 2);
      if (this.cursor.at("limit") && isOne) found.isLimited = !this.cursor.at("by", 2);
      if (this.cursor.at("fetch") && this.cursor.peek(2).value === "1") found.isLimited = true;
      if (this.cursor.at("fetch") && this.cursor.at("row", 2)) found.isLimited = true;
      if (this.cursor.at("qualify")) found.isQualified = true;
      if (this.cursor.atAny(narrowing)) found.isNarrowed = true;
      if (this.cursor.at("(")) this.cursor.skipParentheses();
      else this.cursor.next();
    }
    return found;
  }

  #items(): SelectTree["items"] {
    const items: SelectTree["items"][number][] = [];
    do {
      const { start } = this.cursor.peek();
      let alias: string | undefined;
      const node = this.#whole(itemEnds, () => {
        const found = this.expression();
        if (found.kind === "star") this.#starWords();
        alias = this.#alias();
        return found;
      });
      items.push({ node, alias, start, end: this.cursor.peek(-1).end });
    } while (this.cursor.accept(","));
    return items;
  }

  /** Reads a part that ends at one of these words. If some of it cannot be read, the result is an `unknown` operation. */
  #whole(ends: ReadonlySet<string>, read: () => SqlNode = () => this.expression()): SqlNode {
    const node = this.cursor.attempt(read, UnreadPartError);
    if (node !== undefined && (this.cursor.isAtEnd || this.cursor.at(")") || this.cursor.atAny(ends))) return node;
    this.cursor.skipRest(ends);
    return operationOf("unknown", ...(node === undefined ? [] : [node]));
  }

  /** Skips the words after a star, as in `* EXCEPT (a)`. */
  #starWords(): void {
    while (this.cursor.atAny(new Set(["except", "exclude", "replace", "rename"])) && this.cursor.at("(", 1)) {
      this.cursor.next();
      this.cursor.skipParentheses();
    }
  }

  #alias(): string | undefined {
    const isNamed = this.cursor.accept("as");
    if (isNamed && this.cursor.peek().kind === "text") return this.cursor.next().value;
    return isNamed || atName(this) ? writtenName(readName(this)) : undefined;
  }

  #tables(): FromReading {
    const found = new FromReading();
    do this.#joined(found);
    while (this.cursor.accept(","));
    return found;
  }

  #joined(found: FromReading): void {
    this.#source(found, plainJoin);
    while (this.cursor.atAny(joinWords)) {
      const words = new Set<string>();
      // For example LEFT OUTER JOIN.
      for (let word = this.cursor.acceptAny(joinWords); word !== undefined; word = this.cursor.acceptAny(joinWords))
        words.add(word);
      this.#source(found, {
        isPartial: partialJoins.some((word) => words.has(word)),
        isNatural: words.has("natural"),
      });
      if (this.cursor.accept("on")) found.conditions.push(this.#whole(sourceEnds));
      else if (this.cursor.accept("using")) this.#use(found);
    }
  }

  #use(found: FromReading): void {
    this.cursor.expect("(");
    const { start } = this.cursor.peek();
    const columns = [writtenName(readName(this))];
    while (this.cursor.accept(",")) columns.push(writtenName(readName(this)));
    const { end } = this.cursor.peek(-1);
    this.cursor.expect(")");
    const source = found.sources.length - 1;
    for (const column of columns) found.using.push({ column, source, start, end });
  }

  #source(found: FromReading, join: JoinWords): void {
    this.cursor.accept("lateral");
    if (this.cursor.accept("(")) {
      if (atTreeQuery(this)) {
        const query = this.query();
        this.cursor.expect(")");
        found.sources.push({ ...join, kind: "query", query, alias: this.#tableAlias() });
      } else {
        this.cursor.nest(() => this.#joined(found));
        this.cursor.expect(")");
        this.#tableAlias();
      }
      return;
    }
    const isParameter = this.cursor.peek().kind === "parameter";
    const path = isParameter ? [this.cursor.next().value] : readPath(this);
    const isCall = this.cursor.at("(");
    if (isCall) this.cursor.skipParentheses();
    const alias = this.#tableAlias();
    found.sources.push(
      isCall || isParameter ? { ...join, kind: "other", alias } : { ...join, kind: "table", path, alias },
    );
  }

  #tableAlias(): string | undefined {
    const alias = this.#alias();
    if (this.cursor.at("(")) this.cursor.skipParentheses(); // the columns of the alias, or a hint
    this.cursor.skipRest(sourceEnds);
    return alias;
  }
}

/** The tables of a SELECT while they are read. */
class FromReading {
  readonly sources: SourceTree[] = [];
  readonly conditions: SqlNode[] = [];
  readonly using: SelectTree["using"][number][] = [];
}
