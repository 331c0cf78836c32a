import type { SqlToken } from "@bridle/sql";
import { listNodeOf, negativeOf, operationOf, type QueryTree, type SqlBranch, type SqlNode } from "./statement-tree.ts";
import { TokenReader } from "./token-reader.ts";

/** Words that end an expression or a name, unless they are quoted. */
const reserved = new Set(
  (
    "select from where group having order limit offset fetch union except intersect minus join inner left right full cross natural on using as " +
    "and or not in is like ilike between then when else end case over qualify window for with by asc desc distinct all filter set values into " +
    "lateral tablesample sample final prewhere settings format straight_join outer apply exists"
  ).split(" "),
);
const literalPrefixes = new Set(["date", "timestamp", "timestamptz", "datetime", "time", "interval"]);

/** Reads names, calls, literals and the contents of parentheses. */
export abstract class OperandTreeReader extends TokenReader {
  protected abstract query(): QueryTree;
  protected abstract expression(): SqlNode;

  protected expressions(): SqlNode[] {
    const found = [this.expression()];
    while (this.accept(",")) found.push(this.expression());
    return found;
  }

  protected atQuery(ahead = 0): boolean {
    return this.at("select", ahead) || this.at("with", ahead);
  }

  protected atName(ahead = 0): boolean {
    const { kind, value } = this.peek(ahead);
    return kind === "name" || (kind === "word" && !reserved.has(value));
  }

  protected name(): string {
    if (!this.atName()) this.fail("a name");
    return nameOf(this.next());
  }

  /** After a dot, any word is a name. */
  protected dottedName(): string[] {
    if (!this.atName()) this.fail("a name");
    const path = partsOf(this.next());
    while (this.at(".") && !this.at("*", 1)) {
      this.next();
      path.push(...partsOf(this.next()));
    }
    return path;
  }

  protected operand(): SqlNode {
    if (this.acceptAny(new Set(["+", "~"]))) return this.operand();
    if (this.accept("-")) return negativeOf(this.operand());
    let node = this.#primary();
    for (;;) {
      if (this.accept("::")) {
        this.#type();
        node = { kind: "cast", operand: node };
      } else if (this.at("[")) {
        this.next();
        this.skipRest(new Set(["]"]));
        this.expect("]");
        node = operationOf("[]", node);
      } else if (this.accept("->") || this.accept("->>")) node = operationOf("->", node, this.#primary());
      else if (this.accept("collate")) this.dottedName();
      else if (this.accept("at", "time", "zone")) node = operationOf("zone", node, this.#primary());
      else return node;
    }
  }

  #primary(): SqlNode {
    const token = this.peek();
    if (token.kind === "number") return { kind: "literal", value: Number(this.next().value) };
    if (token.kind === "text") return { kind: "literal", value: this.next().value };
    if (this.accept("(")) return this.#parenthesized();
    if (this.accept("*")) return { kind: "star" };
    if (this.acceptAny(new Set(["$", "?", ":", "@"]))) return this.#parameter();
    if (this.accept("case")) return this.#case();
    if (this.accept("exists")) return operationOf("exists", this.operand());
    if (this.acceptAny(new Set(["any", "all", "some"]))) return this.operand();
    if (this.accept("array") || this.at("[")) return this.#array();
    if (this.atAny(literalPrefixes) && this.peek(1).kind === "text") return this.#prefixed();
    for (const [word, value] of constants) if (this.accept(word)) return { kind: "literal", value };
    return this.#name();
  }

  #array(): SqlNode {
    if (this.at("(")) this.skipParentheses();
    else {
      this.expect("[");
      this.skipRest(new Set(["]"]));
      this.expect("]");
    }
    return { kind: "parameter" };
  }

  /** `DATE '2025-01-01'`, and `INTERVAL '1' DAY`. */
  #prefixed(): SqlNode {
    const prefix = this.next().value;
    const text = this.next().value;
    if (prefix === "interval" && this.peek().kind === "word" && this.atName()) this.next();
    return prefix === "interval" ? { kind: "parameter" } : { kind: "literal", value: text };
  }

  #parameter(): SqlNode {
    if (this.peek().kind === "number" || this.peek().kind === "word") this.next();
    return { kind: "parameter" };
  }

  #parenthesized(): SqlNode {
    if (this.atQuery() || this.at("(")) return this.#groupOrQuery();
    const items = this.at(")") ? [] : this.expressions();
    this.expect(")");
    const [only, ...others] = items;
    return only !== undefined && others.length === 0 ? only : { kind: "list", items };
  }

  #groupOrQuery(): SqlNode {
    let ahead = 0;
    while (this.at("(", ahead)) ahead += 1;
    const isQuery = this.atQuery(ahead);
    const node: SqlNode = isQuery ? { kind: "query", query: this.query() } : listNodeOf(this.expressions());
    this.expect(")");
    return node;
  }

  #case(): SqlNode {
    const subject = this.at("when") ? undefined : this.expression();
    const branches: SqlBranch[] = [];
    while (this.accept("when")) {
      const value = this.expression();
      this.expect("then");
      branches.push({ when: subject ? operationOf("=", subject, value) : value, then: this.expression() });
    }
    const otherwise = this.accept("else") ? this.expression() : undefined;
    this.expect("end");
    return { kind: "case", branches, otherwise };
  }

  #name(): SqlNode {
    if (this.peek().kind === "word" && this.at("(", 1)) return this.#call([this.next().value]);
    if (this.accept("interval")) {
      this.expression();
      if (this.atName()) this.next();
      return { kind: "parameter" };
    }
    const path = this.dottedName();
    if (this.at("(")) return this.#call(path);
    if (this.accept(".", "*")) return { kind: "star", path };
    return { kind: "column", path };
  }

  #call(path: readonly string[]): SqlNode {
    const name = (path.at(-1) ?? "").toLowerCase();
    this.expect("(");
    const isDistinct = this.accept("distinct");
    this.accept("all");
    const args = this.at(")") ? [] : this.#arguments(name);
    this.expect(")");
    if (this.at("(")) this.skipParentheses();
    if (this.accept("within", "group")) this.skipParentheses();
    const filter = this.accept("filter") ? this.#filter() : undefined;
    if (!this.accept("ignore", "nulls")) this.accept("respect", "nulls");
    const isWindow = this.accept("over");
    const partition = isWindow ? this.#window() : [];
    if (name === "cast" || name === "try_cast") return { kind: "cast", operand: args[0] ?? { kind: "star" } };
    return { kind: "call", name, args, isDistinct, filter, isWindow, partition };
  }

  /** The `PARTITION BY` of a window. Named windows are not read. */
  #window(): readonly SqlNode[] {
    if (!this.at("(")) {
      this.name();
      return [];
    }
    this.expect("(");
    const partition = this.accept("partition", "by") ? this.expressions() : [];
    this.skipRest(new Set());
    this.expect(")");
    return partition;
  }

  #filter(): SqlNode {
    this.expect("(", "where");
    const node = this.expression();
    this.expect(")");
    return node;
  }

  /** Arguments with words between them, as in `extract(year from a)`, `cast(a as type)` and `group_concat(a order by b separator ',')`. */
  #arguments(name: string): SqlNode[] {
    const args: SqlNode[] = [];
    if (name === "extract" && this.at("from", 1)) {
      args.push({ kind: "literal", value: this.next().raw.toLowerCase() });
      this.next();
    }
    do args.push(this.atQuery() ? { kind: "query", query: this.query() } : this.expression());
    while (this.accept(",") || this.accept("from") || this.accept("for"));
    if (this.accept("as")) this.#type();
    if (!this.at(")")) this.skipRest(new Set());
    return args;
  }

  #type(): void {
    this.dottedName();
    while (this.peek().kind === "word" && this.atName() && typeWords.has(this.peek().value)) this.next();
    if (this.at("(")) this.skipParentheses();
    while (this.accept("[", "]") || this.acceptAny(typeWords)) {
      // Such as the brackets of an array.
    }
    if (this.accept("with", "time", "zone") || this.accept("without", "time", "zone")) return;
  }
}

const typeWords = new Set(["precision", "varying", "unsigned", "signed", "integer"]);
const constants: readonly (readonly [string, boolean | null])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
];

function nameOf({ kind, value, raw }: SqlToken): string {
  return kind === "name" ? value : raw;
}

/** BigQuery quotes a whole path in backticks. Elsewhere a dot in quotes is part of the name. */
function partsOf(token: SqlToken): string[] {
  return token.raw.startsWith("`") ? nameOf(token).split(".") : [nameOf(token)];
}
