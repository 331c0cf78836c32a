import { QueryReader } from "../../../statements/query-reader.ts";

/** Reads a SELECT of MySQL and MariaDB. */
export class MySqlReader extends QueryReader {
  protected override readonly dual = "dual";

  protected override limit(): void {
    if (this.accept("limit")) {
      this.number();
      if (this.accept(",") || this.accept("offset")) this.number();
    }
    if (this.accept("offset")) {
      this.number();
      if (!this.accept("rows")) this.accept("row");
    }
    if (!this.accept("fetch")) return;
    if (!this.accept("first")) this.expect("next");
    if (this.peek().kind === "number") this.next();
    if (!this.accept("rows")) this.expect("row");
    if (!this.accept("only")) this.expect("with", "ties");
  }

  /** `JSON_TABLE(document, path COLUMNS (…))`: after COLUMNS, there are names, types, paths and defaults, but no expressions. */
  protected override tableFunction(): void {
    this.expect("(");
    this.expression();
    this.expect(",");
    this.expression();
    this.expect("columns", "(");
    this.#jsonColumns();
    this.expect(")");
  }

  #jsonColumns(): void {
    while (!this.accept(")")) {
      if (this.accept("(")) this.nest(() => this.#jsonColumns());
      else if (this.peek().kind === "symbol" && !this.at(",")) this.fail("Expected a column");
      else if (this.peek().kind === "end" || this.atQuery()) this.fail("Expected a column");
      else this.next();
    }
  }
}
