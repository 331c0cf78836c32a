import type { MetricConfig } from "./case-config.ts";

/** A metric that is computed, as the agent's file has it. */
export type StandardConfig = Extract<MetricConfig, { type: "standard" }>;

/** Names of computed metrics without their aliases. */
export type StandardMetric = Exclude<StandardConfig["metric"], "rouge" | "f1_score">;

const aliases = { rouge: "rougeL", f1_score: "f1" } as const;

export function metricOf({ metric }: Pick<StandardConfig, "metric">): StandardMetric {
  return metric === "rouge" || metric === "f1_score" ? aliases[metric] : metric;
}
