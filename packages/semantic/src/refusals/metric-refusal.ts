/** Reasons why a query or a model cannot be compiled. A refusal is a result: the package computes nothing instead of a wrong number. */

export const metricRefusalReasons = [
  /** A model, measure, metric, dimension, join, segment, column or function that does not exist. */
  "unknown_name",
  /** A name that means more than one thing. */
  "ambiguous_name",
  /** More than one join path leads to a field. */
  "ambiguous_path",
  /** No join path leads to a field. */
  "unreachable",
  /** Rows would have to be counted once for each key, and the model declares no primary key. */
  "missing_key",
  /** The data contradict a declared key or relationship. */
  "wrong_key",
  /** An expression that the expression language does not allow: a subquery, a comment, an unknown form. */
  "invalid_expression",
  /** A value of the wrong type for its field, such as text for a number. */
  "invalid_value",
  /** The query contradicts itself, or lacks a part that its metrics need. */
  "invalid_query",
  /** The question has two meanings with different results. */
  "ambiguous_question",
  /** Something that the engine or this package cannot compute exactly. */
  "unsupported",
] as const;
export type MetricRefusalReason = (typeof metricRefusalReasons)[number];

export interface MetricRefusal {
  readonly reason: MetricRefusalReason;
  /** One sentence with the subject and the reason, and one with the remedy. */
  readonly message: string;
  /** Existing names that are similar to an unknown name. */
  readonly nearest?: readonly string[] | undefined;
  /** The paths that lead to a field, in the form that a query can use. */
  readonly paths?: readonly string[] | undefined;
}

/** Carries a refusal to the function that the caller called, which returns the refusal. */
export class MetricRefusalError extends Error {
  readonly refusal: MetricRefusal;

  constructor(refusal: MetricRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Ends the planning with a refusal. */
export function refuseMetric(
  reason: MetricRefusalReason,
  message: string,
  more: Pick<MetricRefusal, "nearest" | "paths"> = {},
): never {
  throw new MetricRefusalError({ reason, message, ...more });
}
