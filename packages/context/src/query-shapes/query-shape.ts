/** What a statement says about tables: how people join, filter and aggregate them. */

/** A part of the statement: positions in its text. */
interface ShapeSpan {
  readonly start: number;
  readonly end: number;
}

export interface ShapeColumn {
  /** The parts of the table's name, as the statement writes them. */
  readonly table: readonly string[];
  readonly column: string;
}

/** Equal columns of two tables. */
export interface ShapeJoin extends ShapeSpan {
  readonly from: readonly ShapeColumn[];
  readonly to: readonly ShapeColumn[];
  /** Whether more than these columns decides which rows meet. */
  readonly isConditional: boolean;
}

export interface ShapeFilter extends ShapeSpan {
  readonly on: ShapeColumn;
  /** In lower case: `=`, `in`, `is null`, `between`, … */
  readonly operator: string;
}

export interface ShapeAggregate extends ShapeSpan {
  /** In lower case. */
  readonly function: string;
  readonly isDistinct: boolean;
  /** The column that is aggregated; undefined for `count(*)` and for other expressions. */
  readonly column: ShapeColumn | undefined;
  readonly isOfRows: boolean;
  /** What the statement calls it. */
  readonly alias: string | undefined;
}

export interface StatementShape {
  /** Without common table expressions, each once. */
  readonly tables: readonly (readonly string[])[];
  readonly joins: readonly ShapeJoin[];
  readonly filters: readonly ShapeFilter[];
  readonly aggregates: readonly ShapeAggregate[];
  /** Whether it is one SELECT of one table, of which everything is in `filters` that chooses rows. So they are those of its aggregates. */
  readonly isSimple: boolean;
}
