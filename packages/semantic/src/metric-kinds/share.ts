import { quotient } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { ModelMetric } from "../models/model-schema.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { SemanticMetricKind } from "./metric-kind.ts";

/** The share of each group in the total of all groups in the result, or of those with the same values in `within`. */
export const shareMetric: SemanticMetricKind<Extract<ModelMetric, { type: "share" }>> = {
  expand({ name, measure, within = [] }, scope) {
    const part = scope.expand(measure);
    const [leaf, ...others] = part.leaves;
    if (!leaf || others.length > 0 || !["sum", "count"].includes(leaf.measure.agg) || leaf.behaviour.kind !== "plain") {
      refuseMetric(
        "unsupported",
        `The share ${name} is of ${measure}, but its groups do not add up. Use a sum or a count.`,
      );
    }
    return {
      leaves: part.leaves,
      write(columns) {
        if (!leaf || columns.isInSeveralGroups(leaf)) {
          const why = `A row of ${measure} is in several groups, so the groups do not add up to a total.`;
          return refuseMetric("unsupported", `${why} Leave the to-many dimension out.`);
        }
        const value = part.write(columns);
        const partition = within.map((key) => columns.key(key));
        const total: SqlExpression = {
          kind: "window",
          name: "sum",
          operand: value,
          partition,
          order: [],
          type: value.type,
          scale: value.scale,
        };
        return quotient(value, total);
      },
    };
  },
  explain: ({ measure, within = [] }) =>
    `is the share of each group in ${measure}${within.length > 0 ? ` within ${within.join(", ")}` : ""}`,
};
