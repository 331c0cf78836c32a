import type { TypedExpression } from "../ir/sql-expression.ts";

export interface ModelColumn extends TypedExpression {
  /** The character set of a text, such as `utf8mb4`, of engines that have several. Without it, MySQL compares texts without an index. */
  readonly charset?: string | undefined;
}

/** What is measured about the tables of models. Everything is optional, and makes the plan safer. */
export interface SemanticFacts {
  /** The columns of each model's table, by the name of the model. Unknown columns are refused then. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, ModelColumn>>>> | undefined;
  /** Declared keys and relationships that the data contradict. A query that needs one is refused. */
  readonly violations?: readonly KeyViolation[] | undefined;
}

export interface KeyViolation {
  readonly model: string;
  /** The join whose "one" side is not unique. Without it, the primary key of the model is not. */
  readonly join?: string | undefined;
  /** How many keys occur more than once, or are NULL. */
  readonly keys: number;
}
