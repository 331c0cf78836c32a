import type { TextSpan } from "@bridle/sql";

/** The shape of a statement: how people join, filter and aggregate tables. */

export interface ShapeColumn {
  /** The parts of the table's name, as the statement writes them. */
  readonly table: readonly string[];
  readonly column: string;
}

/** Equal columns of two tables. */
export interface ShapeJoin extends TextSpan {
  readonly from: readonly ShapeColumn[];
  readonly to: readonly ShapeColumn[];
  /** Whether other conditions also decide which rows match. */
  readonly isConditional: boolean;
}

export interface ShapeFilter extends TextSpan {
  readonly on: ShapeColumn;
  /** In lower case: `=`, `in`, `is null`, `between`, … */
  readonly operator: string;
}

export interface ShapeAggregate extends TextSpan {
  /** In lower case. */
  readonly function: string;
  readonly isDistinct: boolean;
  /** The column that is aggregated; undefined for `count(*)` and for other expressions. */
  readonly column: ShapeColumn | undefined;
  readonly isOfRows: boolean;
  /** The name of the result in the statement. */
  readonly alias: string | undefined;
}

export interface StatementShape {
  /** Without common table expressions, each once. */
  readonly tables: readonly (readonly string[])[];
  readonly joins: readonly ShapeJoin[];
  readonly filters: readonly ShapeFilter[];
  readonly aggregates: readonly ShapeAggregate[];
  /** Whether it is one SELECT from one table, with all conditions on rows in `filters`. Then the filters apply to its aggregates. */
  readonly isSimple: boolean;
}
