import type { TextSpan } from "@bridle/sql";

/** The shape of a statement: how people join, filter and aggregate tables. */

export interface ShapeColumn {
  /** The parts of the table's name, as the statement contains them. */
  readonly table: readonly string[];
  readonly column: string;
}

/** A condition that columns of two tables are equal. */
export interface ShapeJoin extends TextSpan {
  readonly from: readonly ShapeColumn[];
  readonly to: readonly ShapeColumn[];
  /** Whether other conditions also decide which rows match. */
  readonly isConditional: boolean;
}

export interface ShapeFilter extends TextSpan {
  readonly on: ShapeColumn;
  /** The operator, in lower case: `=`, `in`, `is null`, `between`, … */
  readonly operator: string;
}

export interface ShapeAggregate extends TextSpan {
  /** The function's name, in lower case. */
  readonly function: string;
  readonly isDistinct: boolean;
  /** The aggregated column; undefined for `count(*)` and for other expressions. */
  readonly column: ShapeColumn | undefined;
  readonly isOfRows: boolean;
  /** The name that the statement gives to the result. */
  readonly alias: string | undefined;
}

export interface StatementShape {
  /** The tables that the statement names, each once, without common table expressions. */
  readonly tables: readonly (readonly string[])[];
  readonly joins: readonly ShapeJoin[];
  readonly filters: readonly ShapeFilter[];
  readonly aggregates: readonly ShapeAggregate[];
  /**
   * Whether the statement is one SELECT from one table, and `filters` has all conditions on its rows. If so, the filters apply to its
   * aggregates.
   */
  readonly isSimple: boolean;
}
