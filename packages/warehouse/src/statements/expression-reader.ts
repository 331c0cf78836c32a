import { CallReader } from "./call-reader.ts";
import { refuseStatement } from "./lexer.ts";
import type { SqlToken } from "./tokens.ts";

const setOperators = new Set(["union", "except", "intersect", "minus"]);

/**
 * Reads expressions. It recognises them without building a tree. Operators are not ordered by precedence, because only the names in an
 * expression matter.
 */
export abstract class ExpressionReader extends CallReader {
  /** Reads the rest of a query that began with a part in parentheses. */
  protected abstract queryTail(): void;
  /** Receives each column that an expression names, split into its parts. With `isStar`, these are the parts before `.*`. */
  protected abstract column(parts: readonly SqlToken[], isStar: boolean): void;

  protected expression(): void {
    this.nest(() => {
      do this.#operand();
      while (this.#acceptOperator());
    });
  }

  protected atQuery(ahead = 0): boolean {
    return this.at("select", ahead) || this.at("with", ahead) || (this.at("values", ahead) && this.at("(", ahead + 1));
  }

  #acceptOperator(): boolean {
    if (this.acceptAny(this.grammar.binarySymbols)) return true;
    if (this.grammar.inNamesTables) this.#refuseTableAfterIn();
    if (this.at("not") && this.atAny(this.grammar.binaryWords, 1)) this.next();
    return (
      this.accept("sounds", "like") ||
      this.accept("member", "of") ||
      this.accept("at", "time", "zone") ||
      this.acceptAny(this.grammar.binaryWords)
    );
  }

  /** A single name after IN is a table, even in parentheses. */
  #refuseTableAfterIn(): void {
    const start = this.at("not") ? 2 : 1;
    if (!this.at("in", start - 1)) return;
    let ahead = start;
    while (this.at("(", ahead)) ahead += 1;
    if (this.atQuery(ahead) || !this.atName(ahead)) return;
    while (this.at(".", ahead + 1)) ahead += 2;
    if (this.at("(", ahead + 1)) return;
    if (ahead === start || this.at(")", ahead + 1) || !this.at("(", start))
      refuseStatement("effect", "A name after IN is a table here. Write a list of values, or a subquery with SELECT.");
  }

  #operand(): void {
    while (this.acceptAny(this.grammar.prefixes)) {
      // Prefixes have no parts of their own.
    }
    this.#acceptGroup();
    this.#primary();
    while (this.#acceptPostfix()) {
      // Postfixes such as IS NULL may follow each other.
    }
  }

  /** `SAFE.` in `SAFE.PARSE_DATE(…)`. */
  #acceptGroup(): void {
    const { kind, value } = this.peek();
    const members = kind === "word" ? this.grammar.functionGroups?.get(value) : undefined;
    if (members === undefined || !this.at(".", 1) || !this.atAny(members, 2) || !this.at("(", 3)) return;
    this.next();
    this.next();
  }

  #primary(): void {
    const token = this.peek();
    if (token.kind === "number") this.next();
    else if (token.kind === "text") this.#texts();
    else if (this.accept("(")) this.#parenthesized();
    else if (this.at("[") && this.grammar.hasArrays) this.#array();
    else if (this.accept("*")) this.#starWords();
    else if (this.accept("case")) this.#case();
    else if (this.accept("interval")) this.interval();
    else if (this.accept("exists")) this.#subquery();
    else if (this.#atLiteralPrefix()) this.#prefixedText();
    else if (token.kind === "word" && this.at("(", 1)) this.call();
    else if (this.acceptAny(this.grammar.constants)) return;
    else this.#column();
  }

  #array(): void {
    this.expect("[");
    if (!this.at("]")) this.nest(() => this.expressions());
    this.expect("]");
  }

  /** `EXCEPT (a, b)` after `*`. */
  #starWords(): void {
    if (this.grammar.starReplaces && this.accept("replace", "(")) this.#starReplacements();
    if (this.grammar.starWords === undefined || !this.atAny(this.grammar.starWords)) return;
    if (!this.at("(", 1) || !this.atName(2)) return;
    this.next();
    this.expect("(");
    do this.name();
    while (this.accept(","));
    this.expect(")");
    if (this.grammar.starReplaces && this.accept("replace", "(")) this.#starReplacements();
  }

  #starReplacements(): void {
    do {
      this.expression();
      this.expect("as");
      this.name();
    } while (this.accept(","));
    this.expect(")");
  }

  /** Adjacent texts form one text. */
  #texts(): void {
    while (this.peek().kind === "text") this.next();
  }

  #atLiteralPrefix(): boolean {
    return this.atAny(this.grammar.literalPrefixes) && this.peek(1).kind === "text";
  }

  #prefixedText(): void {
    this.next();
    this.#texts();
  }

  #parenthesized(): void {
    this.nest(() => {
      if (this.atQuery()) this.query();
      else {
        this.expressions();
        if (this.atAny(setOperators)) this.queryTail();
      }
    });
    this.expect(")");
  }

  #subquery(): void {
    this.expect("(");
    this.nest(() => this.query());
    this.expect(")");
  }

  #case(): void {
    if (!this.at("when")) this.expression();
    while (this.accept("when")) {
      this.expression();
      this.expect("then");
      this.expression();
    }
    if (this.accept("else")) this.expression();
    this.expect("end");
  }

  #column(): void {
    const parts = this.dottedName();
    if (this.at("(")) this.refuseCall(parts.map(({ raw }) => raw).join("."));
    const isStar = this.accept(".", "*");
    this.column(parts, isStar);
    if (isStar) this.#starWords();
  }

  #field(): void {
    if (this.peek().kind !== "word" && this.peek().kind !== "name") this.fail("Expected the name of a field");
    this.next();
  }

  #acceptPostfix(): boolean {
    if (this.grammar.hasArrays && this.at("[")) {
      this.#array();
      return true;
    }
    if (this.grammar.fieldSymbols !== undefined && this.atAny(this.grammar.fieldSymbols)) {
      this.next();
      this.#field();
      return true;
    }
    if (this.grammar.hasCastSymbol && this.accept("::")) {
      this.type();
      return true;
    }
    if (this.accept("collate")) {
      if (this.peek().kind !== "word" && this.peek().kind !== "name") this.fail("Expected a collation");
      this.next();
      return true;
    }
    if (!this.accept("is")) return false;
    this.accept("not");
    if (this.accept("distinct", "from")) this.expression();
    else if (!this.acceptAny(truthValues)) this.fail("Expected NULL, TRUE, FALSE or UNKNOWN");
    return true;
  }
}

const truthValues = new Set(["null", "true", "false", "unknown"]);
