import type { ParsedExpression } from "../expressions/expression.ts";
import { jsonText } from "../expressions/json-text.ts";
import type { TimeGrain } from "../expressions/time-grains.ts";
import type { ModelMeasure, SemanticModel, TimeSpan } from "../models/model-schema.ts";
import type { ScopedFilter } from "./fields.ts";

/** One step back from a period: by a number of periods, or to the start of a larger period. */
export type OffsetStep =
  | { readonly kind: "back"; readonly span: TimeSpan }
  | { readonly kind: "to_grain"; readonly grain: TimeGrain };

/** How a measure relates to the query's periods. */
export type TimeBehaviour =
  | { readonly kind: "plain" }
  | {
      readonly kind: "cumulative";
      readonly window: TimeSpan | undefined;
      readonly toDate: TimeGrain | undefined;
      /** The value that a period longer than a day shows. Default: the value at the period's end. */
      readonly pick?: "first" | "last" | "average" | undefined;
      /** The steps back to the last period that is added up. */
      readonly before: readonly OffsetStep[];
    }
  | { readonly kind: "offset"; readonly steps: readonly OffsetStep[] }
  | {
      readonly kind: "conversion";
      /** The model whose rows the leaf's rows lead to, and the measure over those rows. Keys belong to the leaf's model. */
      readonly to: string;
      readonly measure: string;
      /** The entity's columns, in the leaf's model and in the other model. */
      readonly entity: readonly [string, string];
      /** Columns that must also be equal, in the leaf's model and in the other model. */
      readonly constant: readonly (readonly [string, string])[];
      readonly window: TimeSpan | undefined;
      /** Filters on the rows of the other model. */
      readonly filters: readonly ScopedFilter[];
    };

/** A measure as one column of one fact. */
export interface Leaf {
  readonly model: SemanticModel;
  readonly measure: ModelMeasure;
  /** The operand of an aggregate within a metric's expression. Default: the measure's expression. */
  readonly operand?: ParsedExpression | undefined;
  /** The leaf's fields on shared time axes, by key column. */
  readonly times?: Readonly<Record<string, string>> | undefined;
  readonly behaviour: TimeBehaviour;
  /** Filters from metrics. The query's filters are added to every fact. */
  readonly filters: readonly ScopedFilter[];
}

/** Returns a key that is equal for leaves that share a column. */
export function leafKey(leaf: Leaf): string {
  const { model, measure, operand, times, behaviour, filters } = leaf;
  return jsonText([model.name, measure.name, operand, times, behaviour, filters]);
}
