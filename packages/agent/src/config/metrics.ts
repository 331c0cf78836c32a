/** The schemas of metrics in tests, built from the definitions of the metrics. */

import { metrics as allMetrics, type DefinedMetricConfig as ConfigOf } from "@bridle/metrics";
import type { MetricDefinition } from "@bridle/protocol";
import { z } from "zod";
import { refused } from "./fields.ts";
import { judgeModel } from "./judge-model.ts";
import { metricTypeSchema } from "./metric-type.ts";
import type { ModelConfig } from "./model.ts";

/** A metric in an agent file. */
export type MetricConfig = ConfigOf<ModelConfig>;

/** Creates the schema of a list of metrics, for the metrics of a registry. */
export function createMetricsSchema(registry: readonly MetricDefinition[] = allMetrics) {
  const byType = Map.groupBy(registry, ({ type }) => type);
  const [first, ...others] = [...byType].map(([type, metrics]) => metricTypeSchema(type, metrics));
  if (first === undefined) throw new Error("The registry of metrics is empty.");
  const metric = z.discriminatedUnion("type", [first, ...others]);
  return z.array(metric as unknown as z.ZodType<MetricConfig>).min(1); // the definitions give both the schema and the type
}

export const metricsSchema = createMetricsSchema();

/** Creates the schema of `evaluations`, for the metrics of a registry. */
export function createEvaluationsSchema(metrics = metricsSchema) {
  return z
    .strictObject({
      model: judgeModel.describe("The model that judges. Default: the model of the role judge."),
      metrics: metrics.describe("The metrics of every case that does not set its own."),
      optimizer: refused(
        "Bridle does not rewrite agents. Change the file yourself, and compare the results with bridle test compare.",
      ),
    })
    .describe("The metrics of the agent's tests.");
}

export const evaluationsSchema = createEvaluationsSchema();
