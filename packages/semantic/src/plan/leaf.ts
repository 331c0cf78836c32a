import type { ModelMeasure, SemanticModel, TimeGrain, TimeSpan } from "../models/model-schema.ts";
import type { ScopedFilter } from "./fields.ts";

/** How a measure relates to the periods of the query. */
export type TimeBehaviour =
  | { readonly kind: "plain" }
  | { readonly kind: "cumulative"; readonly window: TimeSpan | undefined; readonly toDate: TimeGrain | undefined }
  | { readonly kind: "offset"; readonly span: TimeSpan }
  | {
      readonly kind: "conversion";
      /** The model whose rows convert; keys are theirs. The measure of the leaf counts what they convert to. */
      readonly base: string;
      readonly entity: readonly [string, string];
      readonly window: TimeSpan | undefined;
    };

/** A measure as one column of one fact. */
export interface Leaf {
  readonly model: SemanticModel;
  readonly measure: ModelMeasure;
  readonly behaviour: TimeBehaviour;
  /** Of metrics; those of the query are added to every fact. */
  readonly filters: readonly ScopedFilter[];
}

/** Equal for leaves that are the same column. */
export function leafKey(leaf: Leaf): string {
  return JSON.stringify([leaf.model.name, leaf.measure.name, leaf.behaviour, leaf.filters]);
}
