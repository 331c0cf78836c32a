import type { SqlExpression } from "../ir/sql-expression.ts";
import type { Leaf } from "./leaf.ts";

/** The formula of a metric over aggregated measures. */
export interface MetricFormula {
  readonly leaves: readonly Leaf[];
  write(columns: FormulaColumns): SqlExpression;
}

/** The columns of the combined facts. */
export interface FormulaColumns {
  leaf(leaf: Leaf): SqlExpression;
  /** Returns the query's dimension with this field or name. */
  key(name: string): SqlExpression;
  /** Whether a row of the measure may be in several groups, so that groups must not be added up. */
  isInSeveralGroups(leaf: Leaf): boolean;
}
