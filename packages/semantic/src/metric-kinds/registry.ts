import type { ModelMetric } from "../models/model-schema.ts";
import { derivedMetric, ratioMetric, simpleMetric } from "./composed.ts";
import { conversionMetric } from "./conversion.ts";
import type { SemanticMetricKind } from "./metric-kind.ts";
import { cumulativeMetric, offsetMetric } from "./over-time.ts";
import { shareMetric } from "./share.ts";

type Kinds = { readonly [Type in ModelMetric["type"]]: SemanticMetricKind<Extract<ModelMetric, { type: Type }>> };

const metricKinds: Kinds = {
  simple: simpleMetric,
  ratio: ratioMetric,
  derived: derivedMetric,
  cumulative: cumulativeMetric,
  offset: offsetMetric,
  share: shareMetric,
  conversion: conversionMetric,
};

/** Returns the kind of a metric, with its type. */
export function kindOf<Type extends ModelMetric["type"]>(type: Type): Kinds[Type] {
  return metricKinds[type];
}

/** Whether a metric is only arithmetic over others, so that its window applies to each of them. Other kinds read the window themselves. */
export function isComposed(
  metric: ModelMetric,
): metric is Extract<ModelMetric, { type: "simple" | "ratio" | "derived" }> {
  return metric.type === "simple" || metric.type === "ratio" || metric.type === "derived";
}
