import { QueryReader } from "../../../statements/query-reader.ts";

const samplings = new Set(["bernoulli", "row", "system", "block"]);
const seeds = new Set(["seed", "repeatable"]);

/** Reads the parts that may follow a table and its alias: `SAMPLE`, `PIVOT` and `UNPIVOT`. */
export abstract class TableSuffixReader extends QueryReader {
  protected tableSuffixes(): void {
    while (this.#suffix()) {
      // A pivoted table may be sampled.
    }
  }

  #suffix(): boolean {
    if (this.accept("sample") || this.accept("tablesample")) this.#sample();
    else if (this.accept("pivot", "(")) this.#pivot();
    else if (this.accept("unpivot")) this.#unpivot();
    else return false;
    return true;
  }

  /** `SAMPLE BERNOULLI (10) SEED (7)` or `SAMPLE (100 ROWS)`. */
  #sample(): void {
    this.acceptAny(samplings);
    this.expect("(");
    this.number();
    this.accept("rows");
    this.expect(")");
    if (!this.acceptAny(seeds)) return;
    this.expect("(");
    this.number();
    this.expect(")");
  }

  /** `PIVOT (sum(total) FOR status IN ('paid', 'open'))`. */
  #pivot(): void {
    this.#aliased();
    this.expect("for");
    this.dottedName();
    this.expect("in", "(");
    if (this.accept("any")) this.orderBy();
    else if (this.atQuery()) this.query();
    else this.#aliased();
    this.expect(")");
    if (this.accept("default", "on", "null", "(")) {
      this.expression();
      this.expect(")");
    }
    this.expect(")");
    this.tableAlias();
  }

  #aliased(): void {
    do {
      this.expression();
      this.alias(false);
    } while (this.accept(","));
  }

  /** `UNPIVOT (total FOR month IN (jan, feb))`. */
  #unpivot(): void {
    if (this.accept("include") || this.accept("exclude")) this.expect("nulls");
    this.expect("(");
    this.name();
    this.expect("for");
    this.name();
    this.expect("in", "(");
    this.#aliased();
    this.expect(")", ")");
    this.tableAlias();
  }
}
