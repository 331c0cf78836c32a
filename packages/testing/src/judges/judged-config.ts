import type { MetricConfig } from "../checks/case-config.ts";

/** A metric that a model judges, as the agent's file has it. */
export type JudgedConfig = Extract<MetricConfig, { type: "geval" | "rag" | "rubric" }>;

export function isJudged(config: MetricConfig): config is JudgedConfig {
  return config.type === "geval" || config.type === "rag" || config.type === "rubric";
}
