import { QueryReader } from "../../../statements/query-reader.ts";

const structs = new Set(["struct", "value"]);

/** Reads a SELECT of GoogleSQL. */
export class BigQueryReader extends QueryReader {
  /** `` `project.dataset.table` `` is one quoted name with three parts. A dataset of another project forms one part with its project. */
  protected override tablePath(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => name.split("."));
  }

  /** `SELECT AS STRUCT`. */
  protected override top(): void {
    if (this.at("as") && this.atAny(structs, 1)) {
      this.next();
      this.next();
    }
  }

  /** `WITH OFFSET AS position` after `UNNEST(…)`. */
  protected override factor(): void {
    super.factor();
    if (this.accept("with", "offset")) this.alias(false);
  }

  /** `TABLESAMPLE SYSTEM (10 PERCENT)`. */
  protected override tableSuffix(): void {
    if (!this.accept("tablesample")) return;
    this.expect("system", "(");
    this.number();
    this.expect("percent", ")");
  }

  protected override groupBy(): void {
    if (this.accept("all")) return;
    if (!this.accept("grouping", "sets")) this.expressions();
    else {
      this.expect("(");
      this.expressions();
      this.expect(")");
    }
  }

  protected override afterGroups(): void {
    if (this.accept("qualify")) this.expression();
  }

  protected override limit(): void {
    if (!this.accept("limit")) return;
    this.number();
    if (this.accept("offset")) this.number();
  }
}
