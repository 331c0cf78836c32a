import type { SemanticModel } from "../models/model-schema.ts";
import type { MetricRefusalReason } from "../refusals/metric-refusal.ts";
import type { ModelPath } from "./model-problem.ts";

/** A fault in a model that matches the schema, at a path such as `measures.0`. */
export interface EntryProblem {
  readonly model: SemanticModel;
  readonly path: ModelPath;
  readonly message: string;
  /** The reason of the refusal; undefined if a name is wrong. */
  readonly reason?: MetricRefusalReason | undefined;
  readonly nearest?: readonly string[] | undefined;
}
