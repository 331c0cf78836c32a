import type { MeasureEntry, ModelMeasure, ModelMetric } from "./model-schema.ts";

/** Whether a measure aggregates rows. Other measures are expressions that aggregate themselves. */
export function isAggregated(measure: MeasureEntry): measure is ModelMeasure {
  return measure.agg !== undefined;
}

/** Converts a measure such as `sum(paid) / nullif(count(refunded), 0)`, which is computed like a metric. */
export function toDerivedMetric(measure: MeasureEntry): ModelMetric {
  const { agg: _, semi_additive: __, expr = "", ...words } = measure;
  return { type: "derived", expr, ...words };
}
