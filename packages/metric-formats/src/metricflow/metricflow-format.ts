import { isPlainObject } from "@bridle/protocol";
import type { MetricFormat } from "../metric-format.ts";
import { yamlRoots } from "../yaml-roots.ts";
import { importMetricFlow } from "./import-metricflow.ts";

/** dbt's and MetricFlow's semantic models and metrics. */
export const metricFlowFormat: MetricFormat = {
  id: "metricflow",
  endings: [".yml", ".yaml"],
  recognises: (file) =>
    yamlRoots(file).some(
      ({ value }) =>
        isPlainObject(value) &&
        (Array.isArray(value.semantic_models) || isPlainObject(value.semantic_model) || hasTypedMetric(value.metrics)),
    ),
  read: (files, options) => importMetricFlow(files, options),
};

function hasTypedMetric(metrics: unknown): boolean {
  return Array.isArray(metrics) && metrics.some((each) => isPlainObject(each) && isPlainObject(each.type_params));
}
