/** Groups measures that are aggregated together: measures of one model, over the same rows, by the same dates. */
import { jsonText } from "../expressions/json-text.ts";
import type { SemanticModel } from "../models/model-schema.ts";
import { keyField } from "../plan/bind-key.ts";
import type { ScopedFilter } from "../plan/fields.ts";
import { type Leaf, leafKey, type TimeBehaviour } from "../plan/leaf.ts";
import type { PlanContext } from "../plan/plan-context.ts";

export interface FactLeaf {
  readonly leaf: Leaf;
  /** The column of the aggregated measure, such as `m0`. */
  readonly column: string;
}

export interface MeasureFact {
  readonly model: SemanticModel;
  readonly behaviour: TimeBehaviour;
  readonly filters: readonly ScopedFilter[];
  /** The form of the fact. Only `plain` facts can have several measures. */
  readonly shape: "plain" | "semi_additive" | "median" | "conversion";
  readonly leaves: readonly FactLeaf[];
}

/** Groups leaves into facts. Identical leaves share a column. */
export function groupFacts(context: PlanContext, leaves: readonly Leaf[], hasMedian: boolean): readonly MeasureFact[] {
  const distinct = new Map(leaves.map((leaf) => [leafKey(leaf), leaf]));
  const columns = [...distinct.values()].map((leaf, index) => ({ leaf, column: `m${index}` }));
  const groups = Map.groupBy(columns, (each) => factKey(context, each, hasMedian));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { model, behaviour, filters } = first.leaf;
    return [{ model, behaviour, filters, shape: shapeOf(first.leaf, hasMedian), leaves: group }];
  });
}

function factKey(context: PlanContext, { leaf, column }: FactLeaf, hasMedian: boolean): string {
  const { model, behaviour, filters, measure } = leaf;
  const fields = context.keys.map((key) => keyField(key, leaf));
  const isAlone = shapeOf(leaf, hasMedian) !== "plain";
  const isAdditive = behaviour.kind !== "cumulative" || isAdditiveAggregation(measure.agg);
  return jsonText([model.name, behaviour, filters, fields, isAlone ? column : "", isAdditive]);
}

function shapeOf({ measure, behaviour }: Leaf, hasMedian: boolean): MeasureFact["shape"] {
  if (behaviour.kind === "conversion") return "conversion";
  if (measure.semi_additive) return "semi_additive";
  return measure.agg === "median" && !hasMedian ? "median" : "plain";
}

/** Whether the aggregate of the whole can be computed from the aggregates of parts. */
export function isAdditiveAggregation(agg: Leaf["measure"]["agg"]): boolean {
  return agg === "sum" || agg === "count" || agg === "min" || agg === "max";
}
