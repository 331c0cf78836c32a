import { refuseStatement } from "../../../statements/lexer.ts";
import { QueryReader } from "../../../statements/query-reader.ts";

const joinKinds = new Set(["any", "asof", "semi", "anti", "all"]);
const sides = new Set(["left", "right", "inner", "full"]);

/** Reads a SELECT of ClickHouse. */
export class ClickHouseReader extends QueryReader {
  readonly #commonTables = new Set<string>();

  /** With several common table expressions of one name, settings of the server decide which one is used. So their names must differ. */
  protected override commonTable(name: string): void {
    if (this.#commonTables.has(name))
      refuseStatement("syntax", `Two common table expressions have the name ${name}. Give one another name.`);
    this.#commonTables.add(name);
    this.refuseTableName(name);
  }

  /** `FINAL` and `SAMPLE 0.1`, after the alias. */
  protected override tableSuffix(): void {
    this.accept("final");
    if (!this.accept("sample")) return;
    this.#share();
    if (this.accept("offset")) this.#share();
  }

  #share(): void {
    this.number();
    if (this.accept("/")) this.number();
  }

  protected override otherJoin(): boolean {
    if (this.accept("array", "join") || this.accept("left", "array", "join")) {
      this.#arrays();
      return true;
    }
    const start = this.at("global") ? 1 : 0;
    const isOther =
      start === 1 || this.atAny(joinKinds) || (this.atAny(sides) && this.atAny(joinKinds, 1)) || this.at("paste");
    if (!isOther) return false;
    while (this.acceptAny(joinKinds) || this.acceptAny(sides) || this.accept("global") || this.accept("outer")) {
      // The engine checks their order.
    }
    this.expect("join");
    this.factor();
    return true;
  }

  #arrays(): void {
    do {
      this.expression();
      this.alias(false);
    } while (this.accept(","));
  }

  protected override beforeWhere(): void {
    if (this.accept("prewhere")) this.expression();
  }

  protected override groupBy(): void {
    if (!this.accept("all")) this.expressions();
    while (this.accept("with")) if (!this.accept("rollup") && !this.accept("cube")) this.expect("totals");
  }

  protected override afterGroups(): void {
    if (this.accept("qualify")) this.expression();
  }

  protected override limit(): void {
    if (this.accept("limit")) this.#limits();
    if (this.accept("limit")) this.#limits();
    if (this.accept("offset")) this.number();
  }

  /** `LIMIT 5`, `LIMIT 5, 10` or `LIMIT 2 BY a`. */
  #limits(): void {
    this.number();
    if (this.accept(",") || this.accept("offset")) this.number();
    if (this.accept("by")) this.expressions();
    else this.accept("with", "ties");
  }
}
