import { refuseStatement } from "./lexer.ts";
import { SqlCursor } from "./sql-cursor.ts";
import type { SqlToken } from "./tokens.ts";

/** Words before the operand of TRIM. */
const sides = new Set(["both", "leading", "trailing"]);
const frameUnits = new Set(["rows", "range", "groups"]);
const searchModes = new Set(["in", "natural", "language", "mode", "boolean", "with", "query", "expansion"]);
const typeSuffixes = new Set(["integer", "int", "precision", "varying", "unsigned", "array"]);
const typeWords = new Set(
  (
    "signed unsigned char nchar varchar nvarchar binary varbinary date datetime datetime2 datetimeoffset smalldatetime time " +
    "character decimal dec numeric double float real integer int bigint smallint tinyint bit money smallmoney uniqueidentifier xml json"
  ).split(" "),
);

/** Reads names, and calls of functions with everything that may be in and after their parentheses. */
export abstract class CallReader extends SqlCursor {
  protected abstract expression(): void;
  /** Reads `SELECT …`, `WITH …` or a query in parentheses. */
  protected abstract query(): void;
  protected abstract atQuery(ahead?: number): boolean;

  protected expressions(): void {
    do this.expression();
    while (this.accept(","));
  }

  /** `ORDER BY`, if it comes next. */
  protected orderBy(): void {
    if (!this.accept("order", "by")) return;
    do {
      this.expression();
      if (!this.accept("asc")) this.accept("desc");
      if (this.accept("nulls") && !this.accept("first")) this.expect("last");
    } while (this.accept(","));
  }

  /** An unquoted word that is not reserved, or a quoted name. */
  protected atName(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "name" || (token.kind === "word" && !this.grammar.reserved.has(token.value));
  }

  protected name(): SqlToken {
    if (!this.atName()) this.fail("Expected a name");
    return this.next();
  }

  /** `a`, `a.b` or `a.b.c`. After a dot, any word is a name. */
  protected dottedName(): readonly SqlToken[] {
    const parts = [this.name()];
    while (this.at(".") && !this.at("*", 1)) {
      this.next();
      if (this.peek().kind !== "word" && this.peek().kind !== "name") this.fail("Expected a name");
      parts.push(this.next());
    }
    return parts;
  }

  protected call(): void {
    const { value, raw } = this.next();
    if (!this.grammar.functions.has(value)) this.refuseCall(raw);
    this.next();
    this.nest(() => this.#arguments(value));
    this.expect(")");
    if (this.grammar.hasParameters && this.accept("(")) {
      this.nest(() => this.#arguments(value));
      this.expect(")");
    }
    this.#afterCall();
  }

  protected refuseCall(name: string): never {
    refuseStatement(
      "effect",
      `The function ${name} is not among those that are known to only read. Use a built-in function without effects.`,
    );
  }

  #arguments(name: string): void {
    if (this.at(")")) return;
    if (this.grammar.queryFunctions?.has(name) && this.atQuery()) {
      this.query();
      return;
    }
    if (!this.accept("distinct")) this.accept("all");
    if (this.grammar.unitFunctions.has(name) && this.peek().kind === "word" && !this.at("(", 1)) this.#unit();
    else this.#argument(name);
    while (this.accept(",")) this.#argument(name);
  }

  /** A keyword instead of the first argument, as in `extract(year from a)`. */
  #unit(): void {
    this.next();
    if (this.accept("from")) this.expression();
  }

  #argument(name: string): void {
    this.acceptAny(sides);
    if (!this.at("from")) {
      // The type in CAST comes after AS, and a word such as DATE before it is a function or a literal.
      if (this.grammar.typeFunctions.has(name) && !name.endsWith("cast") && this.#atType()) this.type();
      else this.expression();
    }
    if (this.grammar.fromFunctions.has(name)) {
      if (this.accept("from")) this.expression();
      if (this.accept("for")) this.expression();
    }
    if (this.grammar.typeFunctions.has(name) && this.accept("as")) this.type();
    while (this.acceptAny(this.grammar.argumentWords)) this.#argumentWord();
    this.orderBy();
    while (this.acceptAny(this.grammar.argumentWords)) this.#argumentWord();
  }

  /** The second argument of `convert(a, decimal(10, 2))`, or the first of T-SQL's `convert(int, a)`. */
  #atType(): boolean {
    const { kind, value } = this.peek();
    return kind === "word" && (typeWords.has(value) || this.grammar.typeNames?.has(value) === true);
  }

  #argumentWord(): void {
    if (this.peek().kind === "word") this.next();
    else this.expression();
  }

  /** For example `decimal(10, 2)`, `unsigned integer` or `char(20) character set utf8mb4`. */
  protected type(): void {
    if (!this.#atType()) this.fail("Expected a type");
    this.next();
    while (this.acceptAny(typeSuffixes)) {
      // For example PRECISION.
    }
    if (this.accept("(")) {
      this.#lengths();
      this.expect(")");
    }
    if (this.grammar.typeNames !== undefined && this.accept("<")) this.#elementTypes();
    while (this.acceptAny(typeSuffixes)) {
      // For example UNSIGNED.
    }
    if (this.accept("character", "set") || this.accept("charset")) this.name();
  }

  /** The types in `ARRAY<INT64>` or `STRUCT<a INT64, b STRING>`. */
  #elementTypes(): void {
    do {
      if (!this.#atType()) this.name();
      this.type();
    } while (this.accept(","));
    this.expect(">");
  }

  #lengths(): void {
    do
      if (this.peek().kind === "number" || this.peek().kind === "text" || this.at("max")) this.next();
      else if (this.#atType()) this.type();
      else this.fail("Expected a length");
    while (this.accept(","));
  }

  #afterCall(): void {
    if (this.accept("within", "group", "(")) {
      this.orderBy();
      this.expect(")");
    }
    if (this.accept("against", "(")) this.#against();
    if (!this.accept("ignore", "nulls")) this.accept("respect", "nulls");
    if (!this.accept("over")) return;
    if (this.accept("(")) this.window();
    else this.name();
  }

  #against(): void {
    this.expression();
    while (this.atAny(searchModes)) this.next();
    this.expect(")");
  }

  /** The inside of `OVER (…)`, with its closing parenthesis. */
  protected window(): void {
    if (this.atName() && !this.at("partition") && !this.atAny(frameUnits)) this.next();
    if (this.accept("partition", "by")) this.expressions();
    this.orderBy();
    if (this.acceptAny(frameUnits)) {
      if (this.accept("between")) {
        this.#frameBound();
        this.expect("and");
      }
      this.#frameBound();
    }
    this.expect(")");
  }

  #frameBound(): void {
    if (!this.accept("unbounded") && !this.accept("current", "row")) {
      if (this.peek().kind === "number") this.next();
      else this.#frameInterval();
    }
    if (!this.accept("preceding")) this.accept("following");
  }

  #frameInterval(): void {
    this.expect("interval");
    this.interval();
  }

  protected interval(): void {
    if (this.grammar.intervalUnits.size === 0) this.fail("Expected an expression");
    this.expression();
    this.acceptAny(this.grammar.intervalUnits);
  }
}
