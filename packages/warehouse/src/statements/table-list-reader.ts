import { ExpressionReader } from "./expression-reader.ts";

const joinWords = new Set(["inner", "cross", "left", "right", "full", "outer", "natural", "join", "straight_join"]);

/** Reads the parts after FROM: joins, derived tables and aliases. */
export abstract class TableListReader extends ExpressionReader {
  /** Reads the name of a table, and replaces it. */
  protected abstract table(): void;

  protected tableList(): void {
    do this.#joined();
    while (this.accept(","));
  }

  #joined(): void {
    this.nest(() => {
      this.factor();
      while (this.#join()) {
        // Each join adds one table.
      }
    });
  }

  #join(): boolean {
    if (this.accept("on")) {
      this.expression();
      return true;
    }
    if (this.accept("using")) {
      this.columnNames();
      return true;
    }
    if (this.otherJoin()) return true;
    if (!this.atAny(joinWords)) return false;
    this.#joinWords();
    this.factor();
    return true;
  }

  /** Reads joins such as CROSS APPLY. */
  protected otherJoin(): boolean {
    return false;
  }

  #joinWords(): void {
    if (this.accept("straight_join")) return;
    this.accept("natural");
    if (this.accept("left") || this.accept("right") || this.accept("full")) this.accept("outer");
    else if (!this.accept("inner")) this.accept("cross");
    this.expect("join");
  }

  protected factor(): void {
    if (this.accept("lateral") || (this.at("(") && this.#atDerived())) this.#derived();
    else if (this.accept("(")) {
      this.tableList();
      this.expect(")");
    } else if (this.atAny(this.grammar.tableFunctions) && this.at("(", 1)) this.#tableFunction();
    else this.table();
  }

  #atDerived(): boolean {
    let ahead = 1;
    while (this.at("(", ahead)) ahead += 1;
    return this.atQuery(ahead);
  }

  #derived(): void {
    this.expect("(");
    this.query();
    this.expect(")");
    this.tableAlias();
  }

  #tableFunction(): void {
    const { value } = this.next();
    this.tableFunction(value);
    this.tableAlias();
  }

  /** The arguments of a function in the table list. */
  protected tableFunction(_name: string): void {
    this.expect("(");
    this.expressions();
    this.expect(")");
  }

  /** Returns whether an alias was read. */
  protected tableAlias(): boolean {
    if (!this.alias(false)) return false;
    if (this.at("(") && this.atName(1)) this.columnNames();
    return true;
  }

  protected alias(allowsText: boolean): boolean {
    const hasAs = this.accept("as");
    // A text without AS could also belong to the word before it, as in _gbk'…'.
    if (allowsText && hasAs && this.peek().kind === "text") this.next();
    else if (hasAs || this.atName()) this.name();
    else return false;
    return true;
  }

  protected columnNames(): void {
    this.expect("(");
    do this.name();
    while (this.accept(","));
    this.expect(")");
  }
}
