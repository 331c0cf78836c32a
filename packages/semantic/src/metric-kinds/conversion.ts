/** Metrics about events that lead to other events, such as visits that become purchases. */
import { orZero, quotient } from "../ir/build-expression.ts";
import type { ModelMetric } from "../models/model-schema.ts";
import type { FormulaColumns } from "../plan/formula.ts";
import type { Leaf } from "../plan/leaf.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MetricScope, SemanticMetricKind } from "./metric-kind.ts";

type ConversionMetric = Extract<ModelMetric, { type: "conversion" }>;

export const conversionMetric: SemanticMetricKind<ConversionMetric> = {
  expand({ name, base, conversion, entity, window, constant = [], result = "rate", empty }, scope) {
    if (scope.behaviour.kind !== "plain") {
      refuseMetric("unsupported", `The conversion ${name} is used over other periods. Use it without them.`);
    }
    const [from, to] = [measureOf(name, base, scope), measureOf(name, conversion, scope)];
    const [own, other] = typeof entity === "string" ? [entity, entity] : entity;
    const leaf: Leaf = {
      ...from,
      behaviour: {
        kind: "conversion",
        to: to.model.name,
        measure: to.measure.name,
        entity: [own, other],
        window,
        constant,
        filters: to.filters.slice(scope.filters.length),
      },
    };
    const isCount = to.measure.agg === "count" || to.measure.agg === "count_distinct";
    const isZero = isCount && empty !== "null";
    const converted = (columns: FormulaColumns) => (isZero ? orZero(columns.leaf(leaf)) : columns.leaf(leaf));
    const all = scope.expand(base);
    // The result includes groups without conversions, because these have rows that could lead to conversions.
    return {
      leaves: [...all.leaves, leaf],
      write: (columns) => (result === "count" ? converted(columns) : quotient(converted(columns), all.write(columns))),
    };
  },
  explain({ base, conversion, window, result = "rate" }) {
    const within = window ? ` within ${window.count} ${window.grain}` : "";
    const count = `${conversion} after ${base}${within}, each counted for the last one before it`;
    return result === "rate" ? `is the share of ${base} that leads to another: ${count}` : `is ${count}`;
  },
};

function measureOf(metric: string, name: string, scope: MetricScope): Leaf {
  const [leaf, ...others] = scope.expand(name).leaves;
  if (!leaf || others.length > 0 || leaf.behaviour.kind !== "plain" || leaf.operand || leaf.measure.semi_additive) {
    const why = `The conversion ${metric} is of ${name}, which is not a plain measure.`;
    return refuseMetric("unsupported", `${why} Write measures that count or add up rows.`);
  }
  return leaf;
}
