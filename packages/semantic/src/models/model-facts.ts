import type { TypedExpression } from "../ir/sql-expression.ts";

export interface ModelColumn extends TypedExpression {
  /**
   * The character set of a text column, such as `utf8mb4`, for engines that have several. If it is unknown, MySQL compares the column
   * without an index.
   */
  readonly charset?: string | undefined;
}

/** Measured facts about the tables of models. All facts are optional, and make the plan safer. */
export interface SemanticFacts {
  /** The columns of each model's table, by model name. If given, unknown columns are refused. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, ModelColumn>>>> | undefined;
  /** Declared keys and relationships that the data contradict. A query that needs one of these is refused. */
  readonly violations?: readonly KeyViolation[] | undefined;
}

export interface KeyViolation {
  readonly model: string;
  /** The join whose "one" side is not unique. Undefined if the model's primary key is not unique. */
  readonly join?: string | undefined;
  /** The number of keys that occur more than once, or are NULL. */
  readonly keys: number;
}
