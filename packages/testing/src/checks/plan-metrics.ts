import type { Redactor } from "@bridle/core";
import type { Judges } from "../judges/create-judges.ts";
import { judgedMetric } from "../judges/judged-metric.ts";
import type { MetricConfig } from "./case-config.ts";
import { codeMetric, type GraderSurroundings } from "./code-metric.ts";
import { computedMetric } from "./computed-metric.ts";
import { metricName, uniqueNames } from "./metric-name.ts";
import type { PlannedMetric } from "./planned-metric.ts";

export interface PlanMetricsOptions extends GraderSurroundings {
  readonly judges: Judges;
  readonly redactor: Redactor;
}

/**
 * The metrics of a list, ready to be used, without those that are not enabled. Their names are unique: two of a kind are
 * told apart by their settings, and where these are the same by a number. Nothing is read, loaded or asked before a turn
 * is judged, and what is wrong with one fails that metric alone.
 */
export function planMetrics(configs: readonly MetricConfig[], options: PlanMetricsOptions): PlannedMetric[] {
  const enabled = configs
    .filter((config) => config.enabled !== false)
    .map((config) => withoutCredentials(config, options.redactor));
  const names = uniqueNames(enabled.map((config) => ({ ...config, name: metricName(config) })));
  return enabled.map((config, index) => {
    const planned = planMetric(config, options);
    return { ...planned, name: names[index] ?? planned.name };
  });
}

/** What is looked for in answers is as they are, and no piece of a credential gets into a name or a reason. */
function withoutCredentials(config: MetricConfig, redactor: Redactor): MetricConfig {
  if (config.type !== "standard" || config.value === undefined) return config;
  return { ...config, value: redactor.value(config.value) as typeof config.value }; // of the same shape
}

function planMetric(config: MetricConfig, { judges, ...around }: PlanMetricsOptions): PlannedMetric {
  switch (config.type) {
    case "standard":
      return computedMetric(config, around.baseDir);
    case "code":
      return codeMetric(config, around);
    case "geval":
    case "rag":
    case "rubric":
      return judgedMetric(config, judges);
  }
}
