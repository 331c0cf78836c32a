import type { NamedRelation, SelectedColumn } from "../ir/sql-expression.ts";

/** An aggregated fact: a named relation with the key columns and the measure columns. */
export interface FactPart {
  /** The relation with the columns. The relations that it reads come before it. */
  readonly name: string;
  readonly relations: readonly NamedRelation[];
  readonly keys: readonly SelectedColumn[];
  readonly measures: readonly SelectedColumn[];
}

/** A fact without the parts that read other periods. */
export interface FactBase extends FactPart {
  readonly isMultiplied: boolean;
}
