import { OperandTreeReader } from "./operand-tree-reader.ts";
import { operationOf, type SqlNode } from "./statement-tree.ts";

const comparisons = new Set(["=", "==", "<>", "!=", "!==", "<", "<=", ">", ">=", "<=>"]);
const additions = new Set(["+", "-", "||", "&", "|", "^"]);
const products = new Set(["*", "/", "%", "div", "mod"]);
const likes = new Set(["like", "ilike", "rlike", "regexp", "glob", "similar"]);

/** Reads expressions as trees, as far as their columns, aggregations and conditions matter. */
export abstract class ExpressionTreeReader extends OperandTreeReader {
  protected expression(): SqlNode {
    return this.nested(() => this.#either());
  }

  #either(): SqlNode {
    return this.#chain("or", () => this.#chain("and", () => this.#negated()));
  }

  #chain(word: string, read: () => SqlNode): SqlNode {
    const first = read();
    const others: SqlNode[] = [];
    while (this.accept(word)) others.push(read());
    return others.length === 0 ? first : operationOf(word, first, ...others);
  }

  #negated(): SqlNode {
    return this.accept("not")
      ? operationOf(
          "not",
          this.nested(() => this.#negated()),
        )
      : this.#comparison();
  }

  #comparison(): SqlNode {
    let left = this.#sum();
    for (;;) {
      const negation = this.at("not") && !this.at("null", 1) ? this.accept("not") : false;
      const found = this.#compared(left);
      if (found === undefined) return left;
      left = negation ? operationOf("not", found) : found;
    }
  }

  #compared(left: SqlNode): SqlNode | undefined {
    const symbol = this.acceptAny(comparisons);
    if (symbol !== undefined) {
      this.acceptAny(new Set(["any", "all", "some"]));
      return operationOf(symbol, left, this.#sum());
    }
    if (this.accept("is")) return this.#is(left);
    if (this.accept("in")) return operationOf("in", left, this.operand());
    if (this.accept("between")) {
      this.accept("symmetric");
      const from = this.#sum();
      this.expect("and");
      return operationOf("between", left, from, this.#sum());
    }
    if (this.acceptAny(likes) === undefined) return undefined;
    this.accept("to");
    const pattern = this.#sum();
    if (this.accept("escape")) this.#sum();
    return operationOf("like", left, pattern);
  }

  #is(left: SqlNode): SqlNode {
    const operator = this.accept("not") ? "is not" : "is";
    if (this.accept("distinct", "from")) return operationOf(operator === "is" ? "<>" : "=", left, this.#sum());
    return operationOf(operator, left, this.operand());
  }

  #sum(): SqlNode {
    return this.#binary(additions, () => this.#binary(products, () => this.operand()));
  }

  #binary(operators: ReadonlySet<string>, read: () => SqlNode): SqlNode {
    let left = read();
    for (let operator = this.acceptAny(operators); operator !== undefined; operator = this.acceptAny(operators))
      left = operationOf(operator, left, read());
    return left;
  }
}
