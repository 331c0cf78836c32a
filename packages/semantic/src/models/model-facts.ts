import type { TypedExpression } from "../ir/sql-expression.ts";

export interface ModelColumn extends TypedExpression {
  /** The character set of a text, such as `utf8mb4`, for engines that have several. Without it, MySQL compares texts without an index. */
  readonly charset?: string | undefined;
}

/** Measured facts about the tables of models. Everything is optional, and makes the plan safer. */
export interface SemanticFacts {
  /** The columns of each model's table, by the name of the model. If they are given, unknown columns are refused. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, ModelColumn>>>> | undefined;
  /** Declared keys and relationships that the data contradict. A query that needs one is refused. */
  readonly violations?: readonly KeyViolation[] | undefined;
}

export interface KeyViolation {
  readonly model: string;
  /** The join with a "one" side that is not unique. Undefined if the primary key of the model is not unique. */
  readonly join?: string | undefined;
  /** How many keys occur more than once, or are NULL. */
  readonly keys: number;
}
