import { QueryReader } from "../../../statements/query-reader.ts";

/** Table hints that only change how rows are read. Other hints lock. */
const readHints = new Set(["nolock", "readuncommitted", "readcommitted", "readpast", "noexpand", "snapshot"]);

/** Reads a SELECT of SQL Server. */
export class SqlServerReader extends QueryReader {
  protected override readonly recursesAlways = true;

  protected override top(): void {
    if (!this.accept("top")) return;
    if (this.accept("(")) {
      this.expression();
      this.expect(")");
    } else this.number();
    this.accept("percent");
    this.accept("with", "ties");
  }

  protected override limit(): void {
    if (this.accept("offset")) {
      this.expression();
      if (!this.accept("rows")) this.expect("row");
      if (this.accept("fetch")) this.#fetch();
    }
    if (this.at("option") && this.at("(", 1)) this.#options();
  }

  #fetch(): void {
    if (!this.accept("next")) this.expect("first");
    this.expression();
    if (!this.accept("rows")) this.expect("row");
    this.expect("only");
  }

  #options(): void {
    if (!(this.at("maxrecursion", 2) || this.at("maxdop", 2) || this.at("recompile", 2)))
      this.fail("Expected MAXRECURSION, MAXDOP or RECOMPILE");
    this.accept("option", "(");
    do if (!this.accept("recompile")) this.#countOption();
    while (this.accept(","));
    this.expect(")");
  }

  #countOption(): void {
    if (!this.accept("maxrecursion")) this.expect("maxdop");
    this.number();
  }

  protected override otherJoin(): boolean {
    if (!this.accept("cross", "apply") && !this.accept("outer", "apply")) return false;
    this.factor();
    return true;
  }

  /** `WITH (NOLOCK)`. */
  protected override tableSuffix(): void {
    if (!(this.at("with") && this.at("(", 1))) return;
    this.accept("with", "(");
    do if (!this.acceptAny(readHints)) this.fail(`Expected a hint that only reads (${[...readHints].join(", ")})`);
    while (this.accept(","));
    this.expect(")");
  }

  protected override tableFunction(name: string): void {
    super.tableFunction(name);
    if (name === "openjson" && this.accept("with", "(")) this.#jsonColumns();
  }

  /** Names, types and paths, without expressions. */
  #jsonColumns(): void {
    do {
      this.name();
      this.type();
      if (this.peek().kind === "text") this.next();
      this.accept("as", "json");
    } while (this.accept(","));
    this.expect(")");
  }
}
