import { refuseStatement } from "../../../statements/lexer.ts";
import type { SqlToken } from "../../../statements/tokens.ts";
import { snowflakeTableFunctions } from "./snowflake-words.ts";
import { TableSuffixReader } from "./table-suffix-reader.ts";

/** Reads a SELECT of Snowflake. */
export class SnowflakeReader extends TableSuffixReader {
  /** Unquoted names are folded to upper case. */
  protected override nameOf(token: SqlToken): string {
    return foldName(token);
  }

  /**
   * Within its own query, it would be unclear which of the two the name refers to. For the same reason, it may only name itself with
   * RECURSIVE here.
   */
  protected override commonTable(name: string): void {
    this.refuseTableName(name);
  }

  /** A reference to a sequence advances it, and a function of the session may be called without parentheses. */
  protected override column(parts: readonly SqlToken[], isStar: boolean): void {
    const last = parts.at(-1);
    if (parts.length > 1 && !isStar && last?.value.toLowerCase() === "nextval")
      refuseStatement("effect", "NEXTVAL changes a sequence. Only reading is possible here.");
    if (parts.length === 1 && last?.kind === "word" && last.value.startsWith("current_")) this.refuseCall(last.raw);
    super.column(parts, isStar);
  }

  protected override factor(): void {
    if (this.at("lateral") && this.atAny(snowflakeTableFunctions, 1) && this.at("(", 2)) {
      this.next();
      this.#computedTable();
      this.tableAlias();
    } else super.factor();
    this.tableSuffixes();
  }

  /** The inside of `TABLE(FLATTEN(…))`. */
  protected override tableFunction(): void {
    this.expect("(");
    if (!this.atAny(snowflakeTableFunctions) || !this.at("(", 1))
      refuseStatement(
        "effect",
        `TABLE(${this.peek().raw.slice(0, 40)} … cannot be used here. Name the table itself, or use FLATTEN or GENERATOR.`,
      );
    this.#computedTable();
    this.expect(")");
  }

  #computedTable(): void {
    this.next();
    this.expect("(");
    this.expressions();
    this.expect(")");
  }

  protected override otherJoin(): boolean {
    if (!this.accept("asof", "join")) return false;
    this.factor();
    if (this.accept("match_condition", "(")) {
      this.expression();
      this.expect(")");
    }
    return true;
  }

  protected override top(): void {
    if (this.at("top") && this.peek(1).kind === "number") {
      this.next();
      this.next();
    }
  }

  /** `* EXCLUDE a RENAME (a AS b)`. */
  protected override selectItem(): void {
    this.expression();
    if (this.at("exclude") && this.atName(1)) {
      this.next();
      this.name();
    }
    if (this.at("rename") && (this.at("(", 1) || this.atName(1))) this.#renames();
    else this.alias(false);
  }

  #renames(): void {
    this.next();
    const isList = this.accept("(");
    do {
      this.name();
      this.expect("as");
      this.name();
    } while (isList && this.accept(","));
    if (isList) this.expect(")");
  }

  protected override groupBy(): void {
    if (this.accept("all")) return;
    do
      if (this.accept("grouping", "sets", "(")) this.#groupingSets();
      else this.expression();
    while (this.accept(","));
  }

  #groupingSets(): void {
    do if (!this.accept("(", ")")) this.expression();
    while (this.accept(","));
    this.expect(")");
  }

  protected override afterGroups(): void {
    if (this.accept("qualify")) this.expression();
  }

  protected override limit(): void {
    if (this.accept("limit") && !this.accept("null")) this.number();
    if (this.accept("offset")) this.#rowCount();
    if (!this.accept("fetch")) return;
    if (!this.accept("first")) this.accept("next");
    this.#rowCount();
    this.accept("only");
  }

  #rowCount(): void {
    this.number();
    if (!this.accept("rows")) this.accept("row");
  }
}

/** Only the letters A to Z are folded in the same way everywhere. */
function foldName({ kind, value, raw }: SqlToken): string {
  if (kind === "name") return value;
  if (/^[\w$]+$/.test(raw)) return raw.toUpperCase();
  return refuseStatement("syntax", `The name ${raw} has letters other than A to Z. Write it in double quotes.`);
}
