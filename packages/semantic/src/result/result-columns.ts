import type { SqlType } from "../ir/sql-expression.ts";

/** A column of the result, in the order of the SELECT. */
export interface MetricColumn {
  readonly name: string;
  readonly kind: "dimension" | "measure";
  /** The column's type; `unknown` if the tables' types are not known. */
  readonly type: SqlType;
  /** The number of a decimal's digits after the point. */
  readonly scale?: number | undefined;
  /** The number format, such as `#,##0.00`. */
  readonly format?: string | undefined;
  /** The field or measure in the column. */
  readonly source: string;
}
