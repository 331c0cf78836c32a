import type { ParsedExpression } from "../expressions/expression.ts";
import { jsonText } from "../expressions/json-text.ts";
import type { TimeGrain } from "../expressions/time-grains.ts";
import type { ModelMeasure, SemanticModel, TimeSpan } from "../models/model-schema.ts";
import type { ScopedFilter } from "./fields.ts";

/** One step back from a period: by a number of periods, or to the start of a larger period. */
export type OffsetStep =
  | { readonly kind: "back"; readonly span: TimeSpan }
  | { readonly kind: "to_grain"; readonly grain: TimeGrain };

/** How a measure relates to the periods of the query. */
export type TimeBehaviour =
  | { readonly kind: "plain" }
  | {
      readonly kind: "cumulative";
      readonly window: TimeSpan | undefined;
      readonly toDate: TimeGrain | undefined;
      /** The value that a period longer than a day shows. Default: the value at its end. */
      readonly pick?: "first" | "last" | "average" | undefined;
      /** The steps back to the last period that is added up. */
      readonly before: readonly OffsetStep[];
    }
  | { readonly kind: "offset"; readonly steps: readonly OffsetStep[] }
  | {
      readonly kind: "conversion";
      /** The model of the rows that the leaf's rows lead to, and the measure over them. Keys belong to the leaf's model. */
      readonly to: string;
      readonly measure: string;
      /** The columns of the entity, in the leaf's model and in the other. */
      readonly entity: readonly [string, string];
      /** Columns that must be equal too, in the leaf's model and in the other. */
      readonly constant: readonly (readonly [string, string])[];
      readonly window: TimeSpan | undefined;
      /** Filters on the rows of the other model. */
      readonly filters: readonly ScopedFilter[];
    };

/** A measure as one column of one fact. */
export interface Leaf {
  readonly model: SemanticModel;
  readonly measure: ModelMeasure;
  /** The operand of an aggregate within the expression of a metric. Default: the expression of the measure. */
  readonly operand?: ParsedExpression | undefined;
  /** The fields of shared time axes for this leaf, by the columns of the keys. */
  readonly times?: Readonly<Record<string, string>> | undefined;
  readonly behaviour: TimeBehaviour;
  /** Filters of metrics. The filters of the query are added to every fact. */
  readonly filters: readonly ScopedFilter[];
}

/** A key that is equal for leaves that share a column. */
export function leafKey(leaf: Leaf): string {
  const { model, measure, operand, times, behaviour, filters } = leaf;
  return jsonText([model.name, measure.name, operand, times, behaviour, filters]);
}
