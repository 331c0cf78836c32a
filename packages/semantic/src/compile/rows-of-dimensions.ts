/** Plans queries without measures, which return the groups of one model's rows. */
import type { MetricFormula } from "../plan/formula.ts";
import type { Leaf } from "../plan/leaf.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

/** Counts the rows of the model from which all dimensions are reached. */
export function rowsOfDimensions({ models, keys }: PlanContext): MetricFormula {
  const roots = [...new Set(keys.map(({ field }) => field?.split(".")[0]))];
  const [root, other] = roots;
  if (root === undefined)
    return refuseMetric("invalid_query", "The query has no measure, and no dimension of a model. Add one.");
  if (roots.length > 1) {
    const why = `Without a measure, the dimensions of ${root} and ${other} have no rows in common.`;
    return refuseMetric(
      "ambiguous_question",
      `${why} Add a measure, or write all from one model on, as in ${root}.join.name.`,
    );
  }
  const leaf: Leaf = {
    model: models.model(root),
    measure: { name: "rows", agg: "count" },
    behaviour: { kind: "plain" },
    filters: [],
  };
  return { leaves: [leaf], write: (columns) => columns.leaf(leaf) };
}
